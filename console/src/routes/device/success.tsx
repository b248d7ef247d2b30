import { createFileRoute } from '@tanstack/react-router'
import { Check } from 'lucide-react'

import { DeviceLayout } from '~/app/device-layout'
import * as text from '~/messages/device-screens'

export const Route = createFileRoute('/device/success')({ component: DeviceSuccess })

function DeviceSuccess() {
  return (
    <DeviceLayout>
      <div className="text-center">
        <div
          aria-hidden="true"
          className="mx-auto mb-5 flex size-12 animate-pulse items-center justify-center rounded-full border border-success-border bg-success-bg text-success-text"
        >
          <Check className="size-6" />
        </div>
        <h1 className="text-xl font-semibold">{text.loggedInTitle}</h1>
        <p className="mt-1.5 text-fg-muted">{text.closeWindowHelp}</p>
      </div>
    </DeviceLayout>
  )
}
