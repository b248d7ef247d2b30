import { createFileRoute } from '@tanstack/react-router'

import { SettingsLayout } from '~/app/settings-layout'

export const Route = createFileRoute('/_authenticated/settings')({
  // Part of every screen inside, so not worth a request of its own.
  codeSplitGroupings: [],
  staticData: { crumb: { label: 'Settings', to: () => '/settings/profile' } },
  component: SettingsLayout,
})
