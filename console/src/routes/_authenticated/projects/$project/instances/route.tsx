import { createFileRoute } from '@tanstack/react-router'

import * as crumbs from '~/messages/project-crumb-screens'

export const Route = createFileRoute('/_authenticated/projects/$project/instances')({
  staticData: { crumb: { label: crumbs.instancesLabel } },
})
