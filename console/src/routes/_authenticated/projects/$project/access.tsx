import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'

import { AccessPage } from '~/resource/access-page'
import { loadAccess, useProjectAccess } from '~/resource/access-policy'
import type { AccessScope } from '~/resource/access-policy'

export const Route = createFileRoute('/_authenticated/projects/$project/access')({
  loader: ({ context, params }) =>
    loadAccess(context.queryClient, { kind: 'project', project: params.project }),
  staticData: { crumb: { label: 'Project Access' } },
  component: ProjectAccess,
})

function ProjectAccess() {
  const { project } = Route.useParams()
  const scope = useMemo<AccessScope>(() => ({ kind: 'project', project }), [project])
  return <AccessPage scope={scope} data={useProjectAccess(project)} />
}
