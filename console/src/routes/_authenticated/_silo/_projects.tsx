import { createFileRoute } from '@tanstack/react-router'
import { Download, Folder } from 'lucide-react'

import {
  currentUserProjectList,
  projectCreate,
  projectDelete,
  projectUpdate,
} from '~/api/generated/operations'
import type { Project } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import { NoRoleNotice } from '~/app/no-role-notice'
import { activityLink, codeAction, deleteAction, editAction } from '~/app/resource-actions'
import { RightsOn } from '~/app/rights-on'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/silo-project-screens'
import { labelsAction } from '~/resource/labels-action'
import { createdColumn, descriptionColumn, nameColumn } from '~/resource/list-columns'
import { EmptyMessage } from '~/ui/empty-message'
import { tellMissing } from '~/ui/on-demand'
import { useRefusal } from '~/ui/refusal-context'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/_silo/_projects')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, currentUserProjectList, {}),
  staticData: { crumb: { label: crumbs.projectsLabel, to: () => '/projects' } },
  component: ProjectsPage,
})

const list = defineList({
  operation: currentUserProjectList,
  params: noParams,
  labels: () => ({ kind: 'project', path: '/projects' }),
  title: text.projectsTitle,
  label: text.projectsLabel,
  icon: Folder,
  docs: {
    heading: text.projectsDocsTitle,
    summary: text.projectsDocsHelp,
    links: [{ label: text.projectsDocsLabel, href: '/explorer?operation=project_list' }],
  },
  create: {
    operation: projectCreate,
    path: () => '/projects-new',
    label: text.newProjectButtonLabel,
    action: text.newProjectLabel,
  },
  empty: {
    title: text.emptyTitle,
    body: text.emptyHelp,
    button: text.newProjectLabel,
  },
  goTo: {
    group: text.goToProjectLabel,
    icon: Folder,
    path: ({ name }) => `/projects/${name}/instances`,
  },
})

const columns: Column<Project>[] = [
  nameColumn(({ name }) => `/projects/${name}/instances`),
  descriptionColumn(),
  createdColumn(),
]

/** Users who may not create projects are told about roles instead. */
const noRole = (
  <EmptyMessage
    icon={<Folder />}
    title={text.emptyTitle}
    body={text.noRoleHelp}
    action={<NoRoleNotice />}
  />
)

function ProjectsPage() {
  const mayCreate = !useRefusal()(projectCreate)
  const rowActions = (project: Project) => [
    ...menuEntries([
      editAction(project.id, projectUpdate, `/projects/${project.name}/edit`),
      labelsAction({ kind: 'project', ...project }, projectUpdate),
      activityLink(project.id, `/projects/${project.name}/activity`),
      codeAction(project.id, { kind: 'project', project: project.name }),
    ]),
    {
      id: 'export',
      label: text.exportProjectLabel,
      icon: Download,
      needs: null,
      onAction: () =>
        void import('~/as-code/project-dialog').then(
          ({ openExport }) => openExport(project.name),
          tellMissing,
        ),
    },
    ...menuEntries([
      deleteAction(project.id, {
        operation: projectDelete,
        resource: 'project',
        input: { path: { project: project.name } },
        label: project.name,
        refreshes: [currentUserProjectList],
      }),
    ]),
  ]

  return (
    <ListScreen
      page={useList(list)}
      columns={columns}
      rowActions={rowActions}
      aroundRowMenu={({ name }, menu) => (
        <RightsOn object={{ on: 'project', project: name }}>{menu}</RightsOn>
      )}
      empty={mayCreate ? undefined : noRole}
    />
  )
}
