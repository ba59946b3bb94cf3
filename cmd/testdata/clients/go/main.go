// Command client makes the three calls of the API through a client that oapi-codegen
// makes from its OpenAPI document. Arguments: the address of the site, and a query
// that finds something.
package main

import (
	"context"
	"fmt"
	"os"

	"client/api"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, base, q string) error {
	client, err := api.NewClientWithResponses(base)
	if err != nil {
		return err
	}
	limit, languages := 3, []string{"en", "de"}
	found, err := client.SearchArticlesWithResponse(ctx, &api.SearchArticlesParams{Q: &q, Limit: &limit, Language: &languages})
	if err != nil {
		return err
	}
	if found.JSON200 == nil || len(found.JSON200.Articles) == 0 || found.JSON200.Limit != limit {
		return fmt.Errorf("search: %s %s", found.Status(), found.Body)
	}
	hit := found.JSON200.Articles[0]
	read, err := client.GetArticleWithResponse(ctx, &api.GetArticleParams{Id: hit.Id})
	if err != nil {
		return err
	}
	if read.JSON200 == nil || read.JSON200.Title != hit.Title || read.JSON200.ContentText == "" {
		return fmt.Errorf("article %s: %s %s", hit.Id, read.Status(), read.Body)
	}
	health, err := client.GetHealthWithResponse(ctx)
	if err != nil {
		return err
	}
	if health.JSON200 == nil || health.JSON200.Revision != found.JSON200.Revision {
		return fmt.Errorf("health: %s %s", health.Status(), health.Body)
	}
	limit = 0
	wrong, err := client.SearchArticlesWithResponse(ctx, &api.SearchArticlesParams{Q: &q, Limit: &limit})
	if err != nil {
		return err
	}
	if p := wrong.ApplicationproblemJSON400; p == nil || p.Errors == nil || (*p.Errors)[0].Parameter != "limit" {
		return fmt.Errorf("a wrong limit: %s %s", wrong.Status(), wrong.Body)
	}
	missing, err := client.GetArticleWithResponse(ctx, &api.GetArticleParams{Id: "no-such-article"})
	if err != nil {
		return err
	}
	if missing.ApplicationproblemJSON404 == nil {
		return fmt.Errorf("an unknown id: %s %s", missing.Status(), missing.Body)
	}
	fmt.Printf("%d found, %s: %d words; %d articles\n", found.JSON200.Total, hit.Title, read.JSON200.WordCount, health.JSON200.Articles)
	return nil
}
