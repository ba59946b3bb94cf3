package analysis

import "strings"

// irregular are nouns of English, each with its plural, that no ending tells. Plurals that are another word as well are none of them,
// such as leaves and lives; nor is people, which hardly anyone writes for several of a person.
const irregular = "analysis analyses, appendix appendices, calf calves, child children, crisis crises, criterion criteria, elf elves, foot feet, " +
	"goose geese, grandchild grandchildren, half halves, hypothesis hypotheses, index indices, knife knives, loaf loaves, louse lice, " +
	"man men, matrix matrices, mouse mice, ox oxen, phenomenon phenomena, scarf scarves, shelf shelves, thesis theses, thief thieves, " +
	"tooth teeth, vertex vertices, vortex vortices, wife wives, wolf wolves, woman women"

// Irregular returns the singular and the plural of a folded noun of English whose plural is irregular, given either; "" for other words.
func Irregular(folded string) (one, many string) {
	for both := range strings.SplitSeq(irregular, ", ") {
		if one, many, _ := strings.Cut(both, " "); folded == one || folded == many {
			return one, many
		}
	}
	return "", ""
}
