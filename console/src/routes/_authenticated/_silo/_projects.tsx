import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Folder, Pencil, Trash2 } from 'lucide-react'

import {
  currentUserProjectList,
  projectCreate,
  projectDelete,
  projectUpdate,
  projectView,
} from '~/api/generated/operations'
import type { Project } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import { load, q, setCached } from '~/api/query'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import { NoRoleNotice } from '~/app/no-role-notice'
import { RightsOn } from '~/app/rights-on'
import { deleteProject } from '~/resource/project-delete'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import { useRefusal } from '~/ui/refusal-context'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/_silo/_projects')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(currentUserProjectList, {}, location.search)),
  staticData: { crumb: { label: 'Projects', to: () => '/projects' } },
  component: ProjectsPage,
})

const list = defineList({
  operation: currentUserProjectList,
  params: () => ({}),
  title: 'Projects',
  label: 'Projects',
  icon: Folder,
  docs: {
    heading: 'projects',
    summary:
      'A project groups related resources, such as instances and disks. Access to them is granted by roles on the project.',
    links: [{ label: 'Projects in the API explorer', href: '/explorer?operation=project_list' }],
  },
  create: {
    operation: projectCreate,
    path: () => '/projects-new',
    label: 'New Project',
    action: 'New project',
  },
  empty: {
    title: 'No projects',
    body: 'Create a project to start working with instances, disks, and more',
    button: 'New project',
  },
  goTo: {
    group: 'Go to project',
    icon: Folder,
    path: ({ name }) => `/projects/${name}/instances`,
  },
})

const columns: Column<Project>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ name }) => <LinkCell href={`/projects/${name}/instances`}>{name}</LinkCell>,
    isName: true,
  },
  {
    id: 'description',
    header: 'description',
    cell: ({ description }) => <DescriptionCell text={description} />,
    width: 320,
  },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime value={timeCreated} /> },
]

/** Who may not create any is told who can give a role, rather than to create one. */
const noRole = (
  <EmptyMessage
    icon={<Folder />}
    title="No projects"
    body="Projects that you have a role on will appear here"
    action={<NoRoleNotice />}
  />
)

function ProjectsPage() {
  const mayCreate = !useRefusal()(projectCreate)
  const navigate = useNavigate()
  const rowActions = (project: Project) => [
    {
      id: 'edit',
      label: 'Edit',
      icon: Pencil,
      needs: projectUpdate,
      onAction: () => {
        const path = { project: project.name }
        setCached(q(projectView, { path }), project)
        void navigate({ to: '/projects/$project/edit', params: path })
      },
    },
    {
      id: 'delete',
      label: 'Delete',
      destructive: true,
      icon: Trash2,
      needs: projectDelete,
      onAction: () => deleteProject(project),
    },
  ]

  return (
    <ListScreen
      list={list}
      place={undefined}
      page={useList(list, undefined)}
      columns={columns}
      rowActions={rowActions}
      aroundRowMenu={({ name }, menu) => (
        <RightsOn object={{ on: 'project', project: name }}>{menu}</RightsOn>
      )}
      empty={mayCreate ? undefined : noRole}
    />
  )
}
