import { call } from '~/api/call'
import { currentUserProjectList, projectDelete } from '~/api/generated/operations'
import type { Project } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import * as text from '~/messages/project'

import { askToDelete } from './deletion'

/** Name of the VPC that every new project has. */
const DEFAULT_VPC = 'default'

/** Asks for confirmation, deletes the project and refreshes the list. An error is shown as a toast. */
export function deleteProject({ id, name }: Pick<Project, 'id' | 'name'>): void {
  askToDelete({
    of: { kind: 'project', id },
    label: name,
    extra: text.deleteHelp(DEFAULT_VPC),
    send: () => call(projectDelete, { path: { project: name } }),
    done: () => invalidate(currentUserProjectList),
  })
}
