import { currentUserProjectList, projectDelete } from '~/api/generated/operations'
import type { Project } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'

import { askToDelete } from './deletion'

/** Asks for confirmation, deletes the project and refreshes the list. An error is shown as a toast. */
export function deleteProject({ id, name }: Pick<Project, 'id' | 'name'>): void {
  askToDelete({
    of: { kind: 'project', id },
    label: name,
    send: planned(projectDelete, { path: { project: name } }),
    done: () => invalidate(currentUserProjectList),
  })
}
