package analysis

import "strings"

// irregular are nouns of English, each with its plural, for which the stemmer has another stem. Plurals that are another word as well are
// none of them, such as leaves and axes; nor is people, which hardly anyone writes for several of a person.
const irregular = "alias aliases, alumnus alumni, analysis analyses, appendix appendices, automaton automata, bacterium bacteria, " +
	"bureau bureaus, bus buses, cactus cacti, calf calves, canvas canvases, child children, corpus corpora, crisis crises, " +
	"criterion criteria, curriculum curricula, dwarf dwarves, elf elves, fireman firemen, focus foci, foot feet, " +
	"gas gases, gentleman gentlemen, goose geese, grandchild grandchildren, half halves, hoof hooves, " +
	"hypothesis hypotheses, index indices, iris irises, knife knives, lens lenses, loaf loaves, louse lice, man men, " +
	"matrix matrices, menu menus, mouse mice, nucleus nuclei, oasis oases, ox oxen, parenthesis parentheses, " +
	"phenomenon phenomena, policeman policemen, quiz quizzes, radius radii, scarf scarves, shelf shelves, " +
	"stimulus stimuli, synopsis synopses, syllabus syllabi, thesis theses, thief thieves, tooth teeth, vertex vertices, " +
	"vortex vortices, wife wives, wolf wolves, woman women"

// Irregular returns the singular and the plural of a folded noun of English that is one of these, given either; "" for other words.
func Irregular(folded string) (one, many string) {
	for both := range strings.SplitSeq(irregular, ", ") {
		if one, many, _ := strings.Cut(both, " "); folded == one || folded == many {
			return one, many
		}
	}
	return "", ""
}
