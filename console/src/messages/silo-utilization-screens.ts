/** Texts of the screens for the utilization of a silo. */

export const quotaLabel = 'Quota'
export const historyTitle = 'History'
export const chooseAProjectLabel = 'Choose a project'
export const allProjectsLabel = 'All projects'
