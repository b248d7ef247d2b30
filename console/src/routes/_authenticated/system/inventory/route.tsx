import { createFileRoute } from '@tanstack/react-router'

import { SLEDS_PATH } from '~/resource/system-paths'

export const Route = createFileRoute('/_authenticated/system/inventory')({
  staticData: { crumb: { label: 'Inventory', to: () => SLEDS_PATH } },
})
