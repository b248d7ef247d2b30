/** The parameters of operations on what a project contains. */
export const inProject = (project: string) => ({ query: { project } })
