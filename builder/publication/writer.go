package publication

// stateFolder holds the writer's own state within the published folder.
const stateFolder = ".newsstand"
