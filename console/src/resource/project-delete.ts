import { call } from '~/api/call'
import { projectDelete, projectList } from '~/api/generated/operations'
import type { Project } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { confirmDelete } from '~/ui/confirm'

/** Asks, deletes the project and refreshes the list. A failure is shown as a toast. */
export function deleteProject({ name }: Pick<Project, 'name'>): void {
  confirmDelete({
    label: name,
    action: async () => {
      await call(projectDelete, { path: { project: name } })
      await invalidate(projectList)
    },
  })
}
