import type { ReactNode } from 'react'

import * as text from '~/messages/shell'
import { Mark } from '~/ui/mark'

/** The frame of the screens that let a device in: one card in the middle, nothing else to do. */
export function DeviceLayout({ children }: { children: ReactNode }) {
  return (
    <div className="relative flex min-h-dvh flex-col items-center justify-center bg-[radial-gradient(ellipse_at_50%_42%,var(--color-accent-bg),transparent_62%)] px-4 py-20 text-fg">
      <main className="w-full max-w-[470px] rounded-md border border-line bg-canvas px-6 py-10 shadow-overlay sm:px-10">
        {children}
      </main>
      <footer className="absolute bottom-8 flex items-center gap-2 font-semibold">
        <Mark className="size-4 text-accent-text" />
        {text.productLabel}
      </footer>
    </div>
  )
}
