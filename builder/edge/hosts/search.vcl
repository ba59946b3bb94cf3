# A cache for the search, with Varnish 7 or newer: /etc/varnish/newsstand.vcl
#   varnishd -a localhost:8083 -f /etc/varnish/newsstand.vcl -s malloc,200m
# Change the folder and the address of searchd, and let Caddy forward to localhost:8083.
vcl 4.1;

import std;
import vsthrottle; # Debian: varnish-modules

backend searchd {
    .host = "127.0.0.1";
    .port = "8081";
    .connect_timeout = 1s;
    .first_byte_timeout = 5s;
}

sub vcl_recv {
    # Of one address: 50 searches a second, after 200 at once (a page that searches as
    # you type sends ten). Caddy says whose they are.
    if (req.restarts == 0 && vsthrottle.is_denied(req.http.X-Client, 200, 4s)) {
        return (synth(503));
    }
    unset req.http.X-Kept;
    unset req.http.Range; # nobody gets a part of an answer
    if (req.url !~ "^/api/articles(\?|$)" || req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }

    # Whoever encodes a name or sends one twice is answered by searchd each time.
    set req.http.X-Args = regsub(req.url, "^[^?]*\??", "&");
    if (req.http.X-Args ~ "&[^=&]*%" || req.http.X-Args ~ "&(q|limit|offset|tag|language)(=[^&]*)?&(.*&)?\1([=&]|$)") {
        unset req.http.X-Args;
        return (pass);
    }

    # Only the known parameters go to searchd, and this is the key of the cache: so no
    # answer can depend on anything that is not in the key. An empty one is as good as none.
    set req.url = "/api/articles?"
        + regsub(req.http.X-Args, "^(?:.*?(&q=[^&]*))?.*$", "\1")
        + regsub(req.http.X-Args, "^(?:.*?(&limit=[^&]*))?.*$", "\1")
        + regsub(req.http.X-Args, "^(?:.*?(&offset=[^&]*))?.*$", "\1")
        + regsub(req.http.X-Args, "^(?:.*?(&tag=[^&]*))?.*$", "\1")
        + regsub(req.http.X-Args, "^(?:.*?(&language=[^&]*))?.*$", "\1");
    unset req.http.X-Args;
    set req.http.X-Kept = "yes";

    # A first try may be answered with what is up to five minutes too old, while a new
    # answer is fetched. Once searchd has failed, a day is not too old.
    if (req.restarts == 0) {
        set req.grace = 300s;
    } else {
        set req.grace = 86400s;
    }
    return (hash);
}

# One key for all names of the site.
sub vcl_hash {
    hash_data(req.url);
    return (lookup);
}

# How long an answer is new is searchd's own max-age; grace is what comes after it.
sub vcl_backend_response {
    if (beresp.status >= 500 && bereq.http.X-Kept) {
        return (error(503)); # which replaces nothing that is kept
    }
    if (beresp.status == 200) {
        set beresp.grace = 86400s;
    }
}

sub vcl_backend_error {
    set beresp.status = 503;
    set beresp.http.Content-Type = "application/problem+json";
    set beresp.http.Cache-Control = "no-store";
    set beresp.http.Retry-After = "1";
    synthetic(std.fileread("/srv/site/public/api/errors/overloaded.json"));
    return (deliver);
}

sub vcl_synth {
    set resp.http.Content-Type = "application/problem+json";
    set resp.http.Cache-Control = "no-store";
    set resp.http.Retry-After = "1";
    synthetic(std.fileread("/srv/site/public/api/errors/overloaded.json"));
    call common;
    return (deliver);
}

sub vcl_deliver {
    if (resp.status == 503 && req.http.X-Kept && req.restarts == 0) {
        return (restart);
    }
    # Varnish compares one tag only; a client may send a list, or take any.
    if (resp.http.ETag && (std.strstr(req.http.If-None-Match, resp.http.ETag) || req.http.If-None-Match == "*")) {
        set req.http.If-None-Match = resp.http.ETag;
    }
    if (obj.hits > 0) {
        set resp.http.Cache-Status = "varnish; hit";
    } elseif (req.http.X-Kept) {
        set resp.http.Cache-Status = "varnish; fwd=miss";
    } else {
        set resp.http.Cache-Status = "varnish; fwd=bypass";
    }
    call common;
}

# What every answer carries, searchd's or not.
sub common {
    unset resp.http.Via;
    unset resp.http.X-Varnish;
    set resp.http.Access-Control-Allow-Origin = "*";
    set resp.http.Access-Control-Expose-Headers = "ETag, Link, Retry-After, Server-Timing";
    set resp.http.X-Content-Type-Options = "nosniff";
    set resp.http.Link = {"</openapi.json>; rel="service-desc""};
}
