import { createFileRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { Folder, Pencil, Trash2 } from 'lucide-react'
import { useMemo } from 'react'

import {
  currentUserProjectList,
  projectCreate,
  projectDelete,
  projectUpdate,
  projectView,
} from '~/api/generated/operations'
import type { Project } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load, q, setCached } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { ButtonLink } from '~/app/button-link'
import { ListTable } from '~/app/list-table'
import { NewLink } from '~/app/new-link'
import { NoRoleNotice } from '~/app/no-role-notice'
import { RightsOn } from '~/app/rights-on'
import { deleteProject } from '~/resource/project-delete'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import { PageHeader } from '~/ui/page-header'
import type { PageDocs } from '~/ui/page-header'
import { useRefusal } from '~/ui/refusal-context'
import type { Column } from '~/ui/table-column'

/** Who may not create any is told who can give a role, rather than to create one. */
function NoProjects() {
  const mayCreate = !useRefusal()(projectCreate)
  return (
    <EmptyMessage
      icon={<Folder />}
      title="No projects"
      body={
        mayCreate
          ? 'Create a project to start working with instances, disks, and more'
          : 'Projects that you have a role on will appear here'
      }
      action={
        mayCreate ? (
          <ButtonLink needs={projectCreate} to="/projects-new" variant="secondary" size="sm">
            New project
          </ButtonLink>
        ) : (
          <NoRoleNotice />
        )
      }
    />
  )
}

const docs: PageDocs = {
  heading: 'projects',
  summary:
    'A project groups related resources, such as instances and disks. Access to them is granted by roles on the project.',
  links: [{ label: 'Projects in the API explorer', href: '/explorer?operation=project_list' }],
}

export const Route = createFileRoute('/_authenticated/_silo/_projects')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(currentUserProjectList, {}, location.search)),
  staticData: { crumb: { label: 'Projects', to: () => '/projects' } },
  component: ProjectsPage,
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

function ProjectsPage() {
  const navigate = useNavigate()
  const page = useListPage(currentUserProjectList, {})
  const { items } = page

  const actions = useMemo(
    () =>
      items.map(({ id, name }) => ({
        id,
        label: name,
        group: 'Go to project',
        icon: Folder,
        href: `/projects/${name}/instances`,
      })),
    [items],
  )
  useActions(actions)

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
    <>
      <PageHeader
        icon={<Folder />}
        title="Projects"
        docs={docs}
        actions={
          <NewLink needs={projectCreate} to="/projects-new" action="New project">
            New Project
          </NewLink>
        }
      />
      <ListTable
        label="Projects"
        page={page}
        columns={columns}
        rowActions={rowActions}
        aroundRowMenu={({ name }, menu) => (
          <RightsOn object={{ on: 'project', project: name }}>{menu}</RightsOn>
        )}
        empty={<NoProjects />}
      />
      <Outlet />
    </>
  )
}
