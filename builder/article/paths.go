package article

import "strings"

// Operations are request paths; the others are paths in the published folder,
// relative and with slashes.
const (
	SearchOperation  = "/api/articles"
	ArticleOperation = "/api/article"
	HealthOperation  = "/api/health"
	OpenAPIOperation = "/openapi.json"

	OpenAPIPath    = "openapi.json"
	HealthPath     = "api/health.json"
	NotFoundPath   = "404.html"
	ManifestPath   = CorpusFolder + "/manifest.json"
	CorpusFolder   = "corpus"
	ArticleFolder  = "api/article"
	apiFolder      = "api"
	articlePrefix  = ArticleFolder + "/"
	corpusPrefix   = CorpusFolder + "/"
	errorPrefix    = "api/errors/"
	problemPrefix  = "problems/"
	chunkSuffix    = ".ndjson.gz"
	documentSuffix = ".json"
	markdownSuffix = ".md"
)

// MarkdownOperation is the request path of the Markdown twins, as the OpenAPI document
// has it: where that document has no such path, none are published.
const MarkdownOperation = "/" + ArticleFolder + "/{id}" + markdownSuffix

// Reserved reports whether a path in the published folder is the API's alone.
func Reserved(path string) bool {
	folder, _, _ := strings.Cut(path, "/")
	return path == OpenAPIPath || folder == apiFolder || folder == CorpusFolder
}

// IsAPI reports whether a request path is one of the API.
func IsAPI(path string) bool {
	return path == "/"+apiFolder || strings.HasPrefix(path, "/"+apiFolder+"/")
}

// Path is the published path of the article with this id. The id must be valid.
func Path(id string) string { return articlePrefix + id + documentSuffix }

// MarkdownPath is the published path of the Markdown twin of the article with this id.
func MarkdownPath(id string) string { return articlePrefix + id + markdownSuffix }

// IDOfPath is the inverse of [Path]; ok is false where path is no article's.
func IDOfPath(path string) (id string, ok bool) { return idOfPath(path, documentSuffix) }

// IDOfMarkdownPath is the inverse of [MarkdownPath].
func IDOfMarkdownPath(path string) (id string, ok bool) { return idOfPath(path, markdownSuffix) }

func idOfPath(path, suffix string) (id string, ok bool) {
	name, isArticle := strings.CutPrefix(path, articlePrefix)
	id, ok = strings.CutSuffix(name, suffix)
	return id, isArticle && ok && ValidID(id)
}

// ErrorPath is the published path of the static document of a problem.
func ErrorPath(k Kind) string { return errorPrefix + string(k) + documentSuffix }

// ProblemPagePath is the published path of the page that explains a problem to
// people: what its type address shows.
func ProblemPagePath(k Kind) string { return problemPrefix + string(k) + "/index.html" }

// ChunkPath is the published path of the corpus chunk whose compressed bytes have
// this hexadecimal SHA-256.
func ChunkPath(sha256 string) string { return corpusPrefix + sha256 + chunkSuffix }

// SearchSettingsPath is the published path of the search settings whose bytes have
// this hexadecimal SHA-256.
func SearchSettingsPath(sha256 string) string {
	return corpusPrefix + "search-" + sha256 + documentSuffix
}
