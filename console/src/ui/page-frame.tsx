import { useCallback, type ReactNode } from 'react'

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

/**
 * Makes the bar at the bottom of the pane, above the content that scrolls under it, for portals of the screens. It is there before the page
 * is, so that a screen is rendered once, not once more when its bar is there.
 */
export function createBottomBar(): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'border-t border-line bg-canvas px-[var(--gutter)] empty:hidden'
  return bar
}

/**
 * Holds a bar of {@link createBottomBar} at the bottom of the pane.
 *
 * @param children what stands above it.
 */
export function BottomBar({ bar, children }: { bar: HTMLElement; children?: ReactNode }) {
  const hold = useCallback((element: HTMLElement | null) => element?.append(bar), [bar])
  return (
    <div ref={hold} className="sticky bottom-0 z-10 shrink-0">
      {children}
    </div>
  )
}
