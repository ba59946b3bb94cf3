package analysis

import "strings"

// irregular returns the English nouns with a first letter, each with its plural, whose plural has
// another stem in the stemmer. They are grouped by letter because each word of an article is looked
// up. Plurals that are also another word, such as leaves and axes, are left out; so is people,
// which hardly anyone writes for several of a person.
func irregular(first string) string {
	switch first {
	case "a":
		return "alias aliases, alumnus alumni, analysis analyses, appendix appendices, automaton automata"
	case "b":
		return "bacterium bacteria, bureau bureaus, bus buses"
	case "c":
		return "cactus cacti, calf calves, canvas canvases, child children, corpus corpora, crisis crises, criterion criteria, " +
			"curriculum curricula"
	case "d":
		return "dwarf dwarves"
	case "e":
		return "elf elves"
	case "f":
		return "fireman firemen, focus foci, foot feet"
	case "g":
		return "gas gases, gentleman gentlemen, goose geese, grandchild grandchildren"
	case "h":
		return "half halves, hoof hooves, hypothesis hypotheses"
	case "i":
		return "index indices, iris irises"
	case "k":
		return "knife knives"
	case "l":
		return "lens lenses, loaf loaves, louse lice"
	case "m":
		return "man men, matrix matrices, menu menus, mouse mice"
	case "n":
		return "nucleus nuclei"
	case "o":
		return "oasis oases, ox oxen"
	case "p":
		return "parenthesis parentheses, phenomenon phenomena, policeman policemen"
	case "q":
		return "quiz quizzes"
	case "r":
		return "radius radii"
	case "s":
		return "scarf scarves, shelf shelves, stimulus stimuli, synopsis synopses, syllabus syllabi"
	case "t":
		return "thesis theses, thief thieves, tooth teeth"
	case "v":
		return "vertex vertices, vortex vortices"
	case "w":
		return "wife wives, wolf wolves, woman women"
	}
	return ""
}

// Irregular returns the singular and the plural of a folded English noun with an irregular plural,
// given either; "" for other words.
func Irregular(folded string) (one, many string) {
	for both := range strings.SplitSeq(irregular(folded[:min(1, len(folded))]), ", ") {
		if one, many, _ := strings.Cut(both, " "); folded == one || folded == many {
			return one, many
		}
	}
	return "", ""
}
