import type { ReactNode, Ref } from 'react'

import { scrollPaneId } from '~/lib/scroll-pane'
import { SkipLinkTarget } from '~/ui/skip-link'

type PageFrameProps = {
  topBar: ReactNode
  sidebar: ReactNode
  /** The shared bar at the bottom: pagination, or the buttons of a full-page form. */
  bottomBar?: ReactNode
  /** For screens that fill the pane themselves, such as a terminal. */
  fullHeight?: boolean
  children: ReactNode
}

/** The console's grid: top bar above, sidebar at the left, one pane that scrolls. */
export function PageFrame({
  topBar,
  sidebar,
  bottomBar,
  fullHeight = false,
  children,
}: PageFrameProps) {
  return (
    <div className="grid h-dvh grid-rows-[var(--top-bar-height)_minmax(0,1fr)]">
      {topBar}
      <div className="flex min-h-0 min-w-0">
        {sidebar}
        <div
          id={scrollPaneId}
          data-testid="scroll-container"
          className="relative flex min-w-0 grow flex-col overflow-x-hidden overflow-y-auto"
        >
          <SkipLinkTarget />
          {fullHeight ? (
            <main className="flex min-h-0 grow flex-col">{children}</main>
          ) : (
            <main className="grow px-[var(--gutter)] pb-8">{children}</main>
          )}
          {!fullHeight && bottomBar}
        </div>
      </div>
    </div>
  )
}

/** Holds `children` at the bottom of the pane, above the content that scrolls under it. */
export function BottomBar({ children, ref }: { children?: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <div
      ref={ref}
      className="sticky bottom-0 z-10 shrink-0 border-t border-line bg-canvas px-[var(--gutter)] empty:hidden"
    >
      {children}
    </div>
  )
}
