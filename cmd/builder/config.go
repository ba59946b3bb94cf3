package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"newsstand/builder"
	"newsstand/builder/article"
	"newsstand/builder/hinted"
	"newsstand/builder/source"
	"newsstand/cmd/commandline"
	"newsstand/cmd/commandline/problems"
)

const configHelp = `Print the settings that a build would have, each with its value and where that comes
from: a flag, an environment variable, site.yaml or the configuration of the site's
generator, each of which overrides those after it, or the default. Nothing is written.

--format json prints a list of objects with the keys setting, value and from. In the
table, "-" is a value that is empty.`

const configExample = `  builder config
  NEWSSTAND_BASE_URL=https://example.org builder config --content ../blog
  builder config --format json | jq -r '.[] | select(.from == "default") | .setting'`

func newConfigCommand() *cobra.Command {
	var o buildOptions
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "Print the settings, and where each comes from",
		Long:    configHelp,
		Example: configExample,
		RunE: func(cmd *cobra.Command, _ []string) error {
			from := func(flag string) string {
				switch {
				case cmd.Flags().Changed(flag):
					return "--" + flag
				case os.Getenv(commandline.Variable(flag)) != "":
					return commandline.Variable(flag)
				}
				return "default"
			}
			return runConfig(cmd.Context(), o, from, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	o.folderFlags(f)
	commandline.OneOf(f, &o.format, "format", "table", "`format` of the list", "table", "json")
	return cmd
}

// setting is one row of the list.
type setting struct {
	Setting string `json:"setting"`
	Value   string `json:"value"`
	From    string `json:"from"`
}

// runConfig prints the settings; from says where a flag's value comes from.
func runConfig(ctx context.Context, o buildOptions, from func(flag string) string, stdout, stderr io.Writer) error {
	folder, err := builder.Scan(ctx, o.Content, source.Options{BaseURL: o.BaseURL})
	if err != nil {
		return err
	}
	settings := []setting{
		{"content", o.Content, from("content")},
		{"public", o.Public, from("public")},
		{"cache", cmp.Or(cacheFolder(o.cache), noCache), from("cache")},
	}
	site := folder.Site
	for _, s := range []struct{ key, value string }{
		{"base_url", site.BaseURL},
		{"title", site.Title},
		{"description", site.Description},
		{"url_template", site.URLTemplate},
		{"language", site.Language},
		{"languages", strings.Join(site.Languages(), ", ")},
		{"time_zone", site.TimeZone.String()},
		{"date_format", strings.Join(site.DateFormats, ", ")},
		{"dates_in_ids", fmt.Sprint(site.DatesInIDs)},
		{"generator", site.Generator},
		{"authors", authorNames(site.Authors)},
		{"licence", licenceName(site.License)},
		{"contact", contactName(site.Contact)},
		{"page", fmt.Sprint(!site.WithoutPage)},
		{"markdown", fmt.Sprint(!site.WithoutMarkdown)},
		{"search", synonyms(folder.Settings.Synonyms)},
	} {
		row := setting{s.key, s.value, "default"}
		if s.key == "base_url" && o.BaseURL != "" {
			row.From = from("base-url")
		} else if file := said(site, s.key); file != "" {
			row.From = file
		}
		settings = append(settings, row)
	}
	if o.format == "json" {
		err = commandline.WriteJSON(stdout, settings)
	} else {
		err = writeSettings(stdout, settings)
	}
	if err != nil {
		return fmt.Errorf("print the settings: %w", err)
	}
	if wrong := printWrongSettings(stderr, o.Content, folder); wrong > 0 {
		return hinted.Error(fmt.Errorf("%s in %s; a build would publish nothing", count(wrong, "error"), source.SiteFile), "fix what is listed above")
	}
	return nil
}

// said is the file that says a setting, by either spelling of its key.
func said(site source.Site, key string) string {
	for _, k := range []string{key, strings.Replace(key, "authors", "author", 1), strings.Replace(key, "licence", "license", 1)} {
		if file := site.From[k]; file != "" {
			return file
		}
	}
	return ""
}

func writeSettings(w io.Writer, settings []setting) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SETTING\tVALUE\tFROM")
	for _, s := range settings {
		fmt.Fprintf(table, "%s\t%s\t%s\n", s.Setting, commandline.PlainLine(cmp.Or(s.Value, "-")), s.From)
	}
	return table.Flush()
}

func authorNames(authors []article.Author) string {
	names := make([]string, len(authors))
	for i, a := range authors {
		names[i] = a.Name
	}
	return strings.Join(names, ", ")
}

func licenceName(l *article.License) string {
	if l == nil {
		return ""
	}
	return l.Name
}

func contactName(c *article.Contact) string {
	if c == nil {
		return ""
	}
	return strings.Join(strings.Fields(c.Name+" "+c.URL+" "+c.Email), " ")
}

func synonyms(groups []article.Synonym) string {
	if len(groups) == 0 {
		return ""
	}
	return count(len(groups), "group") + " of synonyms"
}

// printWrongSettings prints the mistakes in the settings of the site, and returns how many there
// are.
func printWrongSettings(stderr io.Writer, content string, folder *source.Folder) (wrong int) {
	for _, p := range folder.Problems {
		if p.Path == source.SiteFile && p.Severity == source.Error {
			problems.Print(stderr, content, p)
			wrong++
		}
	}
	return wrong
}
