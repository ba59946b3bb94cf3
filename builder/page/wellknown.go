package page

import "newsstand/builder/article"

// catalogPath is where RFC 9727 puts the catalog.
const catalogPath = ".well-known/api-catalog"

// linkset is a set of links in JSON (RFC 9264, 4.2).
type linkset struct {
	Linkset []linkContext `json:"linkset"`
}

// linkContext are the links of one resource; their relations are those of RFC 8631 and
// RFC 6573.
type linkContext struct {
	Anchor      string `json:"anchor"`
	Item        []link `json:"item,omitempty"`
	ServiceDesc []link `json:"service-desc,omitempty"`
	ServiceDoc  []link `json:"service-doc,omitempty"`
	ServiceMeta []link `json:"service-meta,omitempty"`
	Status      []link `json:"status,omitempty"`
	License     []link `json:"license,omitempty"`
}

type link struct {
	Href string `json:"href"`
	Type string `json:"type,omitempty"`
}

// wellKnown returns the catalog of the API and robots.txt.
func (v view) wellKnown() ([]File, error) {
	home := v.BaseURL + "/"
	api := linkContext{
		Anchor:      v.BaseURL + article.SearchOperation,
		ServiceDesc: []link{{v.BaseURL + article.OpenAPIOperation, "application/json"}},
		ServiceDoc:  []link{{home + "docs/", "text/html"}},
		ServiceMeta: []link{{home + "llms.txt", "text/plain"}},
		Status:      []link{{v.BaseURL + article.HealthOperation, "application/json"}},
	}
	if v.License != nil && v.License.URL != "" {
		api.License = []link{{Href: v.License.URL}}
	}
	catalog, err := article.Encode(linkset{[]linkContext{
		{Anchor: home + catalogPath, Item: []link{{Href: api.Anchor}}},
		api,
	}})
	if err != nil {
		return nil, err
	}
	robots := "# Everything here is public. The API is described in " + home + "llms.txt\n" +
		"User-agent: *\nAllow: /\n\nSitemap: " + home + "sitemap.xml\n"
	return []File{{catalogPath, catalog}, {"robots.txt", []byte(robots)}}, nil
}
