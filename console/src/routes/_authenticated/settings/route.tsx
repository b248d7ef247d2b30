import { createFileRoute } from '@tanstack/react-router'

import { SettingsLayout } from '~/app/settings-layout'
import * as crumbs from '~/messages/crumb-screens'

export const Route = createFileRoute('/_authenticated/settings')({
  // Every screen below loads this layout, so a chunk of its own would only add a request.
  codeSplitGroupings: [],
  staticData: { crumb: { label: crumbs.settingsLabel, to: () => '/settings/profile' } },
  component: SettingsLayout,
})
