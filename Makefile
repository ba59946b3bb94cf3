# Everything that a developer, an operator or CI does, by name. `make` lists it.
# Only the Go toolchain and make are needed, except where a target says more.

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.8.0
LISTEN      := localhost:8080
FUZZTIME    := 30s
SLOWESTTIME := 5m

# The race detector needs a C compiler; where Go finds none, tests run without it.
# All else does without cgo, as the guide's image does: the standard library and the
# modules would be compiled once more with it.
RACE := $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)
# Tests that are left out under it (articletest.WithoutRace) run without.
WITHOUT_RACE := 'Relevance|Ladder|DamageInUse|AMergeIs|Inversion|TooFewFiles|Zap|Unusual|Beginnings|Holds|Directly|Hostile|WithoutEnd|MacOS|Remember|TwinsMake|MemoryIs|CanFail|NothingRunsAny'

run build e2e torture lint: export CGO_ENABLED := 0

.DEFAULT_GOAL := help
.PHONY: help run build test e2e torture reproducible bench fuzz slowest relevance golden man lint vuln licences sbom check clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z][a-z0-9-]*:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## serve content/ as the whole API at http://localhost:8080 (or LISTEN=localhost:8090), and follow edits
	@go build -o .cache/bin/preview ./cmd/preview && exec .cache/bin/preview --listen $(LISTEN)

build: ## compile builder, searchd and preview into .cache/bin
	go build -o .cache/bin/ ./cmd/...

# The longest package comes first, or it would run alone at the end.
test: ## run every test that needs Go alone, with the race detector where it can run
	go test $(RACE) ./searchd/index ./...
	@$(if $(RACE),CGO_ENABLED=0 go test -run $(WITHOUT_RACE) ./searchd/index ./searchd/index/analysis ./builder ./builder/verify ./builder/source ./builder/source/dialect ./builder/source/frontmatter ./builder/source/include ./builder/source/markdown ./cmd)

# It installs what it needs: Netlify's software from npm into the user's cache, 570 MB.
# NEWSSTAND_SKIP_NPM=1 goes on without where npm cannot be reached.
e2e: ## run the real programs together: processes, signals, kill -9, load, hosts
	go test -tags e2e -count=1 -timeout 15m -parallel 4 -run '^TestE2E' -v ./cmd

torture: ## overload, hostile clients, soak and kill -9 at full length, with figures (10 minutes)
	go test -tags 'e2e torture' -count=1 -timeout 10m -run '^TestE2ETorture' -v ./cmd

reproducible: ## build one site twice, with all that must not matter made otherwise, and compare the bytes
	go test -count=1 -run '^TestStories$$/^same$$' -v ./cmd/builder

bench: ## run the benchmarks, with the ratios between builds; compare two runs with benchstat
	go test -run '^$$' -bench . -benchmem ./...

fuzz: ## fuzz every parser for FUZZTIME (30s) each
	@for pkg in $$(go list ./...); do \
	  list=$$(go test -list '^Fuzz' $$pkg) || { echo "$$list"; exit 1; }; \
	  for f in $$(echo "$$list" | grep '^Fuzz'); do \
	    echo "== $$pkg $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
	  done; \
	done

slowest: ## look for the slowest and the largest legal query among 100,000 articles, for SLOWESTTIME (5m)
	go test -count=1 -run '^TestSlowest$$' -v -timeout 1h ./searchd/index -slowest $(SLOWESTTIME) -slowest-articles 100000

# It needs ../shared beside the repository, and says what it skips without.
relevance: ## judge the search: nDCG@10, typos, golden rankings of real sites, many random sites
	go test -count=1 -v -run 'Relevance|Ladder|History' ./searchd/index -thorough
	go test -count=1 -v -run 'Ranking|GuideIsFound' ./searchd -thorough

golden: ## write the golden files anew; read the diff before you commit it
	go test ./builder/page ./builder/source -update
	go test -run Ranking ./searchd -thorough -update

man: ## write the manual pages of the programs into .cache/man
	@mkdir -p .cache/man && go test -count=1 -run '^TestManPages$$' ./cmd/builder ./cmd/searchd ./cmd/preview -man "$(CURDIR)/.cache/man"

lint: ## gofmt, go vet, go mod tidy, staticcheck
	@test -z "$$(gofmt -l .)" || { gofmt -d .; exit 1; }
	go vet ./... && go vet -tags 'e2e torture' ./cmd
	go mod tidy -diff
	go mod verify
	go run $(STATICCHECK) ./...

vuln: ## look the dependencies up in Go's vulnerability database (needs vuln.go.dev)
	go run $(GOVULNCHECK) ./...

licences: ## list the licence of every module that is linked; a test keeps the list right
	@cat cmd/testdata/licences.txt

# The tool is pinned with all its modules by cmd/testdata/sbom/go.sum.
sbom: build ## write what the programs are made of into .cache/sbom, as CycloneDX 1.6
	@mkdir -p .cache/sbom
	@for p in builder searchd preview; do \
	  go -C cmd/testdata/sbom tool cyclonedx-gomod bin -json -std -noserial -notimestamp -output "$(CURDIR)/.cache/sbom/$$p.cdx.json" "$(CURDIR)/.cache/bin/$$p" || exit 1; \
	done
	@ls -l .cache/sbom

check: lint test e2e ## all that CI does

clean: ## remove what the targets made
	rm -rf .cache public
