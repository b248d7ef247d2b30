import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'

import * as crumbs from '~/messages/project-crumb-screens'
import { AccessPage } from '~/resource/access-page'
import { loadAccess } from '~/resource/access-queries'
import type { AccessScope } from '~/resource/access-queries'
import { useProjectAccess } from '~/resource/use-access'

export const Route = createFileRoute('/_authenticated/projects/$project/access')({
  loader: ({ context, params }) =>
    loadAccess(context.queryClient, { kind: 'project', project: params.project }),
  staticData: { crumb: { label: crumbs.projectAccessLabel } },
  component: ProjectAccess,
})

function ProjectAccess() {
  const { project } = Route.useParams()
  const scope = useMemo<AccessScope>(() => ({ kind: 'project', project }), [project])
  return <AccessPage scope={scope} data={useProjectAccess(project)} />
}
