import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react'

import { useInUrl } from '~/app/use-in-url'
import { onDemand } from '~/ui/on-demand'
import { useWindowWidth } from '~/ui/use-window-width'

/** Loaded when it is first opened. */
const InstancePanel = onDemand(async () => (await import('./-instance-panel')).InstancePanel)

/** Windows of this width in pixels have room for a list and a panel. */
const WIDE = 1800

/** Milliseconds for which a row has the focus until its details are fetched: arrow keys pass many rows. */
const PAUSE = 150

/**
 * A list of instances with the details of one beside it, on wide screens. The URL says which (`details`). While the panel is open, it shows the
 * row that has the focus; the focus itself goes there only when the person asks for what is already shown.
 *
 * @param project its name.
 * @returns what opens the panel, if there is room for it, and what lays it out beside the list.
 */
export function useInstancePanel(project: string) {
  const { details } = useRouter().state.location.search as { details?: string }
  const [shown, setShown] = useState({ project, name: details })
  const panel = useRef<HTMLElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isWide = useWindowWidth(() => window.innerWidth >= WIDE)
  // The list of another project has other instances.
  const name = shown.project === project ? shown.name : undefined
  useInUrl(useMemo(() => ({ details: name }), [name]))
  useEffect(() => () => clearTimeout(timer.current), [])

  const show = useCallback(
    (wanted: string | undefined) => {
      clearTimeout(timer.current)
      setShown({ project, name: wanted })
    },
    [project],
  )
  const open = useCallback(
    (wanted: string) => {
      if (panel.current?.dataset.of === wanted) panel.current.focus()
      else show(wanted)
    },
    [show],
  )
  const follow = ({ target }: FocusEvent) => {
    const focused = rowName(target)
    if (!focused || !name) return
    clearTimeout(timer.current)
    if (focused !== name) timer.current = setTimeout(() => show(focused), PAUSE)
  }
  const close = () => {
    // The focus goes back to the row, which a search may have left out meanwhile.
    if (panel.current?.contains(document.activeElement)) rowOf(name)?.focus()
    show(undefined)
  }
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    // Menus and dialogs that the list has opened are elsewhere, and have an Escape of their own.
    const isHere = event.currentTarget.contains(event.target as Node)
    if (event.key !== 'Escape' || event.defaultPrevented || !isHere || !name) return
    event.preventDefault()
    close()
  }

  const beside = (list: ReactNode) => (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape, from the list and from the panel
    <div className="flex items-start gap-5" onKeyDown={onKey}>
      <div className="min-w-0 flex-1" onFocus={follow}>
        {list}
      </div>
      {isWide && name && (
        <InstancePanel
          ref={panel}
          project={project}
          name={name}
          onClose={close}
          onMissing={close}
        />
      )}
    </div>
  )
  return { open: isWide ? open : undefined, beside }
}

/** The name that the button for details in the row of an element has. */
const rowName = (element: Element) =>
  element.closest('tr')?.querySelector<HTMLElement>('[data-row-details]')?.dataset.rowDetails

/** The row with the details of an instance. */
const rowOf = (name = '') =>
  document.querySelector(`[data-row-details="${CSS.escape(name)}"]`)?.closest('tr')
