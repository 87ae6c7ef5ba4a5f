/** The query of the people in the workspace. */
export const TEAM = ['team']
