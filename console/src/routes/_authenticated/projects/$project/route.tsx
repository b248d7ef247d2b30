import { createFileRoute } from '@tanstack/react-router'

import { projectView } from '~/api/generated/operations'
import { load, q } from '~/api/query'
import { LayoutError } from '~/app/layout-error'
import { permissionsOn } from '~/app/permissions'
import { ProjectLayout } from '~/app/project-layout'
import * as crumbs from '~/messages/project-crumb-screens'

export const Route = createFileRoute('/_authenticated/projects/$project')({
  // Every screen inside needs it, so a separate request is not worthwhile.
  codeSplitGroupings: [],
  loader: ({ context: { queryClient }, params: { project } }) =>
    Promise.all([
      load(queryClient, q(projectView, { path: { project } })),
      load(queryClient, permissionsOn({ on: 'project', project })),
    ]),
  staticData: {
    crumb: [
      { label: crumbs.projectsLabel, to: () => '/projects' },
      {
        label: ({ project = '' }) => project,
        to: ({ project }) => `/projects/${project}/instances`,
      },
    ],
  },
  component: ProjectLayoutRoute,
  errorComponent: LayoutError,
})

function ProjectLayoutRoute() {
  const { project } = Route.useParams()
  return <ProjectLayout project={project} />
}
