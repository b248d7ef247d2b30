/** Texts of the screens for the list of projects. */

export const projectsTitle = 'Projects'
export const projectsLabel = 'Projects'
export const projectsDocsTitle = 'Learn about projects'
export const projectsDocsHelp =
  'A project groups related resources, such as instances and disks. Access to them is granted by roles on the project.'
export const projectsDocsLabel = 'Projects in the API explorer'
export const newProjectButtonLabel = 'New Project'
export const newProjectLabel = 'New project'
export const emptyTitle = 'No projects'
export const emptyHelp = 'Create a project to start working with instances, disks, and more'
export const goToProjectLabel = 'Go to project'
export const noRoleHelp = 'Projects that you have a role on will appear here'
export const createProjectTitle = 'Create project'
export const editProjectTitle = 'Edit project'
export const updateProjectLabel = 'Update project'
export const createdToast = (name: string) => (
  <>
    Project <b>{name}</b> created
  </>
)
export const updatedToast = (name: string) => (
  <>
    Project <b>{name}</b> updated
  </>
)
export const exportProjectLabel = 'Export as code'
