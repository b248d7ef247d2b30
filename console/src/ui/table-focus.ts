import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import type { KeyboardEvent } from 'react'

import { isCut } from '~/ui/delegated-tips'
import type { RowSelection } from '~/ui/table-selection'

type Body = HTMLTableSectionElement
type Row = HTMLTableRowElement

const CONTROL = `:is(${['a[href]', 'button', 'input', 'select', 'textarea', '[tabindex]'].join()})`
const ROW = 'tr[tabindex]'

const rowsOf = (body: Body) => Array.from(body.querySelectorAll<Row>(`:scope > ${ROW}`))

/** The row of a table's body that an element is in. Elements of menus and dialogs that a cell has opened are in none. */
export function rowAt(body: Body, element: EventTarget | null): Row | undefined {
  const row = element instanceof Element ? element.closest<Row>(ROW) : null
  return row?.parentElement === body ? row : undefined
}

/**
 * Makes a table one stop of the tab key: the row that had the focus last, or the first. The arrow keys lead to everything else, also to
 * the controls of its header. Neither rows nor cells are rendered for it, so that moving through a long list costs nothing.
 *
 * @returns what to call when the focus enters a row or moves in it.
 */
export function useOneTabStop(body: RefObject<Body | null>): (row: Row) => void {
  const stop = useRef<Row>(undefined)
  useLayoutEffect(() => {
    if (body.current) stop.current = arrangeStops(body.current, stop.current)
  })
  useEffect(() => {
    const element = body.current
    if (!element) return undefined
    // What a cell shows later, such as a name that had to be fetched, has controls, too.
    const observer = new MutationObserver(() => {
      stop.current = arrangeStops(element, stop.current)
    })
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ['tabindex'] })
    return () => observer.disconnect()
  }, [body])
  return (row) => {
    stop.current = arrangeStops(row.parentElement as Body, row)
  }
}

function arrangeStops(body: Body, before: Row | undefined): Row | undefined {
  const stop =
    before?.parentElement === body
      ? before
      : (body.querySelector<Row>(`:scope > ${ROW}`) ?? undefined)
  for (const row of body.querySelectorAll<Row>(':scope > tr[tabindex="0"]')) {
    if (row !== stop) row.tabIndex = -1
  }
  const controls = `:is(td, th) ${CONTROL}:not([tabindex="-1"])`
  for (const part of [body, headOf(body)]) {
    for (const control of part?.querySelectorAll<HTMLElement>(controls) ?? []) control.tabIndex = -1
  }
  if (stop && stop.tabIndex !== 0) stop.tabIndex = 0
  return stop
}

const headOf = (body: Body) => body.closest('table')?.tHead ?? undefined

/** What can take the focus in a row or a cell, in its order: controls, and texts that are cut. */
function controlsIn(part: Element): HTMLElement[] {
  return Array.from(part.querySelectorAll<HTMLElement>(`${CONTROL}, [data-overflow]`)).filter(
    (element) => element.matches(CONTROL) || isCut(element),
  )
}

function focus(element: HTMLElement) {
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1
  element.focus()
}

/**
 * The keys of a table. On a row and its controls: up, down, home and end go to other rows, left and right through the
 * controls of the row. On a row: enter opens it, space chooses it, `i` shows its details, and the keys of a context menu open its menu.
 *
 * @param openMenu opens a row's menu at its first or last entry.
 * @param select selects rows, where several can be: Shift with up and down, Ctrl+A, Escape.
 */
export function onTableKey(
  event: KeyboardEvent<Body>,
  openMenu: (button: HTMLButtonElement, start: 'first' | 'last') => void,
  select?: RowSelection,
): void {
  const { target, currentTarget: body, key } = event
  const row = rowAt(body, target)
  if (!row || event.isDefaultPrevented() || !(target instanceof HTMLElement) || takesKeys(target)) {
    return
  }
  const handle = (action: () => void) => {
    event.preventDefault()
    action()
  }
  if (select && selectByKey(event, row, select)) {
    event.preventDefault()
    return
  }
  const menuButton = row.querySelector<HTMLButtonElement>('button[data-row-menu]')
  const isModified = event.altKey || event.ctrlKey || event.metaKey
  if (target === menuButton && (key === 'ArrowDown' || key === 'ArrowUp')) {
    handle(() => openMenu(menuButton, key === 'ArrowDown' ? 'first' : 'last'))
    return
  }
  if (target === menuButton && (key === 'Enter' || key === ' ')) {
    handle(() => event.repeat || whenReleased(key, menuButton, () => openMenu(menuButton, 'first')))
    return
  }
  const next = isModified ? undefined : elementTowards(key, row, target)
  if (next) {
    handle(() => focus(next))
    return
  }
  if (target !== row) return
  if (menuButton && (key === 'ContextMenu' || (key === 'F10' && event.shiftKey))) {
    handle(() => openMenu(menuButton, 'first'))
    return
  }
  const pressed = row.querySelector<HTMLElement>(PRESSED_BY[key] ?? ':not(*)')
  if (pressed) handle(() => pressed.click())
}

/** Whether a key was one that selects rows. */
function selectByKey(event: KeyboardEvent<Body>, row: Row, select: RowSelection): boolean {
  const { key, shiftKey, target } = event
  if ((event.ctrlKey || event.metaKey) && key === 'a') {
    select.all()
    return true
  }
  if (key === 'Escape') return select.clear()
  const isStep = shiftKey && target === row && (key === 'ArrowDown' || key === 'ArrowUp')
  const next = isStep && elementTowards(key, row, row)
  if (!next || next.dataset.row === undefined) return false
  next.focus()
  select.extendTo(next.dataset.row, row.dataset.row)
  return true
}

/** Waits until a pressed key is released, or a key that is held would go on in what opens, and choose there. */
function whenReleased(key: string, on: HTMLElement, action: () => void) {
  const listen = ({ key: released, target }: globalThis.KeyboardEvent) => {
    if (released === key && target === on) action()
  }
  on.ownerDocument.addEventListener('keyup', listen, { once: true })
}

/** What a key pressed on a row presses in it. */
const PRESSED_BY: Partial<Record<string, string>> = {
  Enter: 'a[href], [data-row-open]',
  ' ': 'input[type=checkbox], input[type=radio]',
  i: 'button[data-row-details]',
}

/** Fields and sliders use the arrow keys themselves. */
const takesKeys = (element: HTMLElement) =>
  element.matches(
    'input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable], [role=slider], [role=combobox]',
  )

/** Where a key moves the focus to from an element of a row. */
function elementTowards(key: string, row: Row, from: HTMLElement): HTMLElement | undefined {
  const rows = rowsOf(row.parentElement as Body)
  const inRow = [row, ...controlsIn(row)]
  switch (key) {
    case 'ArrowDown':
      return sameColumn(rows[rows.indexOf(row) + 1], from)
    case 'ArrowUp':
      return row === rows[0]
        ? headerControl(row, from)
        : sameColumn(rows[rows.indexOf(row) - 1], from)
    case 'Home':
      return rows[0]
    case 'End':
      return rows.at(-1)
    case 'ArrowRight':
      return inRow[inRow.indexOf(from) + 1]
    case 'ArrowLeft':
      return inRow[inRow.indexOf(from) - 1]
    default:
      return undefined
  }
}

/** The control in the header of the column that an element is in, or else the first one of the header. */
function headerControl(row: Row, from: HTMLElement): HTMLElement | undefined {
  const head = headOf(row.parentElement as Body)
  const controls = head ? controlsIn(head) : []
  return controls.find((control) => columnOf(control) === columnOf(from)) ?? controls[0]
}

const columnOf = (element: Element) => element.closest<HTMLTableCellElement>('td, th')?.cellIndex

/** The keys of a table's header: left and right go through its controls, down to the rows. */
export function onHeaderKey(event: KeyboardEvent<HTMLTableElement>): void {
  const { target, currentTarget: table, key } = event
  const { tHead, tBodies } = table
  const isModified = event.altKey || event.ctrlKey || event.metaKey
  if (!tHead || !(target instanceof HTMLElement) || !tHead.contains(target) || isModified) return
  const controls = controlsIn(tHead)
  const index = controls.indexOf(target)
  const below = tBodies[0]?.querySelector<Row>(`:scope > ${ROW}`) ?? undefined
  const next = {
    ArrowLeft: controls[index - 1],
    ArrowRight: controls[index + 1],
    ArrowDown: below && sameColumn(below, target),
  }[key]
  if (!next) return
  event.preventDefault()
  focus(next)
}

/** From a control the focus goes to the control in the same column, so that the column can be walked through. */
function sameColumn(row: Row | undefined, from: HTMLElement): HTMLElement | undefined {
  const cell = row?.cells[columnOf(from) ?? -1]
  return (cell && controlsIn(cell)[0]) ?? row
}
