package article

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// ProblemMediaType is the media type of RFC 9457.
const ProblemMediaType = "application/problem+json"

// MarkdownMediaType is that of the articles' twins (RFC 7763).
const MarkdownMediaType = "text/markdown; charset=utf-8"

// Kind is the last segment of a problem's type address.
type Kind string

// The kinds of problems. Each has one status and one title; what differs from
// request to request is only the detail.
const (
	InvalidQuery     Kind = "invalid-query"
	InvalidLimit     Kind = "invalid-limit"
	InvalidOffset    Kind = "invalid-offset"
	InvalidTag       Kind = "invalid-tag"
	InvalidLanguage  Kind = "invalid-language"
	MissingID        Kind = "missing-id"
	Unsigned         Kind = "unsigned-request" // only between the host and the search; no caller of the site's address sees it
	NotFound         Kind = "not-found"
	MethodNotAllowed Kind = "method-not-allowed"
	Overloaded       Kind = "overloaded"
	InternalError    Kind = "internal-error"
)

// kindInfo is what is the same in every problem of a kind.
type kindInfo struct {
	status int
	title  string
	detail string // the detail where the request adds nothing
	hint   string // for the page that explains it: one sentence that says what to do
}

func (k Kind) info() kindInfo {
	switch k {
	case InvalidQuery:
		return kindInfo{http.StatusBadRequest, "The query cannot be searched",
			fmt.Sprintf("q must be given once, as UTF-8, with at most %d characters and %d words", MaxQueryRunes, MaxQueryTerms),
			fmt.Sprintf("Send q once, percent-encoded as UTF-8, with at most %d characters and %d words. An empty q is not an error: it finds nothing.",
				MaxQueryRunes, MaxQueryTerms)}
	case InvalidLimit:
		return kindInfo{http.StatusBadRequest, "The limit is not valid",
			fmt.Sprintf("limit must be a whole number from 1 to %d", MaxLimit),
			fmt.Sprintf("Send limit once, as a whole number from 1 to %d, or leave it out for %d. A larger number is lowered to %d.",
				MaxLimit, DefaultLimit, MaxLimit)}
	case InvalidOffset:
		return kindInfo{http.StatusBadRequest, "The offset is not valid",
			fmt.Sprintf("offset must be a whole number from 0 to %d", MaxOffset),
			fmt.Sprintf("Send offset once, as a whole number from 0 to %d, or leave it out to begin with the best article. Whoever needs more articles reads the corpus: /%s lists its files.",
				MaxOffset, ManifestPath)}
	case InvalidTag:
		return kindInfo{http.StatusBadRequest, "The tag is not valid",
			fmt.Sprintf("tag must be UTF-8 of at most %d characters, given at most %d times", MaxTagRunes, MaxFilterValues),
			fmt.Sprintf("Send tag up to %d times, each percent-encoded as UTF-8 with at most %d characters. A tag that no article has is not an error: it finds nothing.",
				MaxFilterValues, MaxTagRunes)}
	case InvalidLanguage:
		return kindInfo{http.StatusBadRequest, "The language is not valid",
			fmt.Sprintf("language must be a BCP 47 tag such as en or pt-BR, given at most %d times", MaxFilterValues),
			fmt.Sprintf("Send language up to %d times, each a BCP 47 tag such as en or pt-BR. A language that no article has is not an error: it finds nothing.",
				MaxFilterValues)}
	case MissingID:
		return kindInfo{http.StatusBadRequest, "The id is missing or given twice",
			"name the article once, as in " + ArticleOperation + "?id=an-article",
			"Send id exactly once. A search (" + SearchOperation + "?q=) answers ids."}
	case Unsigned:
		return kindInfo{http.StatusUnauthorized, "The request did not come through the site",
			"this address answers requests that the site's host forwards; ask the site's own address, which needs no key",
			"Ask " + SearchOperation + " at the site's own address; it needs no key. If that is what you did, the site and its search do not share a secret: tell the site's contact."}
	case MethodNotAllowed:
		return kindInfo{http.StatusMethodNotAllowed, "The method is not allowed",
			"this API is read-only: use GET, HEAD or OPTIONS",
			"The API is read-only. Use GET, HEAD or OPTIONS."}
	case Overloaded:
		return kindInfo{http.StatusServiceUnavailable, "The search is busy",
			"the search could not be answered in time; try again after the seconds in Retry-After",
			"Nothing is wrong with the request. Wait for the seconds in Retry-After, then send it again."}
	case InternalError:
		return kindInfo{http.StatusInternalServerError, "The server failed",
			"the server failed at this request; the operator's log has the reason",
			"Nothing is wrong with the request. Try again, and tell the site's contact if it stays so."}
	default:
		return kindInfo{http.StatusNotFound, "Nothing is published here",
			"no published document has this address",
			"Check the id or the path. A search (" + SearchOperation + "?q=) answers the ids of all published articles; /openapi.json lists the operations."}
	}
}

// Kinds returns all kinds, in the order of the contract.
func Kinds() []Kind {
	return []Kind{InvalidQuery, InvalidLimit, InvalidOffset, InvalidTag, InvalidLanguage, MissingID, Unsigned, NotFound, MethodNotAllowed, Overloaded, InternalError}
}

// Status is the HTTP status of all problems of this kind.
func (k Kind) Status() int { return k.info().status }

// Title is the short text that is the same for all problems of this kind.
func (k Kind) Title() string { return k.info().title }

// Hint is one or two sentences that say what a caller does about it.
func (k Kind) Hint() string { return k.info().hint }

// Problem is an RFC 9457 problem document.
type Problem struct {
	Type   string           `json:"type"`
	Title  string           `json:"title"`
	Status int              `json:"status"`
	Detail string           `json:"detail"`
	Errors []ParameterError `json:"errors,omitempty"`
}

// ParameterError says what is wrong with one parameter.
type ParameterError struct {
	Parameter string `json:"parameter"`
	Detail    string `json:"detail"`
}

// NewProblem returns a problem of a site whose address is baseURL, without a slash
// at its end. Errors name the parameters at fault; the first one's detail becomes
// the problem's, and without any the kind's own text does.
func NewProblem(baseURL string, k Kind, errs ...ParameterError) Problem {
	info := k.info()
	p := Problem{Type: baseURL + "/" + problemPrefix + string(k), Title: info.title, Status: info.status, Detail: info.detail, Errors: errs}
	if len(errs) > 0 {
		p.Detail = errs[0].Detail
	}
	return p
}

// allow lists the methods that every operation takes.
const allow = "GET, HEAD, OPTIONS"

// retryAfterSeconds is what an overloaded search asks a caller to wait: longer than
// the burst that a search queue holds, short enough for a person.
const retryAfterSeconds = 1

// SuccessCache is the Cache-Control of an article and of a search that was answered. A
// page may show it for a minute without asking again; a cache serves it for five more
// while it fetches the next, and for a day where nobody can be reached.
const SuccessCache = "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400"

// Cache headers of errors, which never inherit those of success: a client error may
// be kept for a minute (it is the same for everyone), a server's never. Nor is that
// of a request that was not signed: the next one may be.
const (
	clientErrorCache = "public, max-age=60"
	neverCache       = "no-store"
)

// SetCommonHeaders sets what every answer of the API carries, whatever its status:
// open CORS, no sniffing, and the way to the description of the service (RFC 8631). The
// site's address is baseURL, or empty where it is not known or has no path.
func SetCommonHeaders(h http.Header, baseURL string) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "ETag, Link, Retry-After, Server-Timing")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Link", "<"+pathOf(baseURL)+OpenAPIOperation+`>; rel="service-desc"`)
}

// pathOf is the path of an address, without a slash at its end.
func pathOf(baseURL string) string {
	_, rest, _ := strings.Cut(baseURL, "://")
	if _, path, ok := strings.Cut(rest, "/"); ok {
		return "/" + path
	}
	return ""
}

// WriteProblem answers a request to the site at baseURL with a problem and the headers
// that belong to it.
func WriteProblem(w http.ResponseWriter, baseURL string, p Problem) {
	h := w.Header()
	for _, success := range []string{"ETag", "Last-Modified", "Content-Encoding", "Netlify-CDN-Cache-Control", "Netlify-Cache-Tag", "No-Vary-Search"} {
		h.Del(success)
	}
	SetCommonHeaders(h, baseURL)
	h.Set("Content-Type", ProblemMediaType)
	h.Set("Cache-Control", clientErrorCache)
	if p.Status >= 500 || p.Status == http.StatusUnauthorized {
		h.Set("Cache-Control", neverCache)
	}
	switch p.Status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "x-nf-sign") // RFC 9110, 15.5.2, wants the name of the scheme
	case http.StatusMethodNotAllowed:
		h.Set("Allow", allow)
	case http.StatusServiceUnavailable:
		h.Set("Retry-After", strconv.Itoa(retryAfterSeconds))
	}
	body, err := Encode(p)
	if err != nil { // a Problem holds only strings and numbers
		panic(err)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(p.Status)
	w.Write(body) // the client may be gone; there is nobody left to tell
}

// WriteOptions answers OPTIONS, a CORS preflight (Fetch, 4.8) or not, with 204.
func WriteOptions(w http.ResponseWriter, baseURL string) {
	h := w.Header()
	SetCommonHeaders(h, baseURL)
	h.Set("Allow", allow)
	h.Set("Access-Control-Allow-Methods", allow)
	h.Set("Access-Control-Allow-Headers", "*")
	h.Set("Access-Control-Max-Age", "86400") // a day, the most that browsers keep
	h.Set("Cache-Control", "public, max-age=86400")
	w.WriteHeader(http.StatusNoContent)
}

// Allowed reports whether the API takes this method. OPTIONS is answered apart, by
// [WriteOptions].
func Allowed(method string) bool {
	return method == http.MethodGet || method == http.MethodHead
}
