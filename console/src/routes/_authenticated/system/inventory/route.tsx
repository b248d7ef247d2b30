import { createFileRoute } from '@tanstack/react-router'

import * as crumbs from '~/messages/crumb-screens'
import { SLEDS_PATH } from '~/resource/system-paths'

export const Route = createFileRoute('/_authenticated/system/inventory')({
  staticData: { crumb: { label: crumbs.inventoryLabel, to: () => SLEDS_PATH } },
})
