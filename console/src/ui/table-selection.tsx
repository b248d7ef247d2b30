import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'

/** Choosing rows of a {@link Table}. */
export interface TableSelection {
  mode: 'single' | 'multiple'
  /** Keys of the chosen rows. */
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
}

/** The selection after a row is pressed: the row alone in single mode, else the selection with the row toggled. */
export function pressedRow({ mode, selected }: TableSelection, key: string): Set<string> {
  if (mode === 'single') return new Set([key])
  const next = new Set(selected)
  if (!next.delete(key)) next.add(key)
  return next
}

/** The selection after "Select all" is pressed. Rows on other pages stay selected. */
export function pressedAll({ selected }: TableSelection, keys: readonly string[]): Set<string> {
  const next = new Set(selected)
  const isWhole = keys.every((key) => selected.has(key))
  for (const key of keys) {
    if (isWhole) next.delete(key)
    else next.add(key)
  }
  return next
}

/** The selection of several rows by keys and by clicks with Shift. */
export interface RowSelection {
  /** Selects the rows from the one that was toggled last, or from the given one, to this one. */
  extendTo: (id: string, from?: string) => void
  all: () => void
  /** Whether there was something to clear. */
  clear: () => boolean
}

/** The selection once it goes from one row to another, beside what was selected before. */
function rangeOf(base: ReadonlySet<string>, keys: readonly string[], from: string, to: string) {
  const [start = 0, end = 0] = [from, to].map((key) => keys.indexOf(key)).toSorted((a, b) => a - b)
  return new Set([...base, ...keys.slice(Math.max(start, 0), end + 1)])
}

/**
 * What selects rows of a table.
 *
 * @param keys those of the rows that are shown, in their order.
 * @returns `toggle` is always the same function, so that rows stay as they are. After `extendsBy(true)` it extends the selection instead.
 */
export function useRowSelection(selection: TableSelection | undefined, keys: readonly string[]) {
  const latest = useRef({ selection, keys })
  useLayoutEffect(() => {
    latest.current = { selection, keys }
  })
  const anchor = useRef<{ id: string; base: ReadonlySet<string> }>(undefined)
  const isExtending = useRef(false)
  const extendTo = useCallback((id: string, from = id) => {
    const { selection: now, keys: shown } = latest.current
    if (!now) return
    const isKnown = anchor.current && now.selected.has(anchor.current.id)
    const start = (isKnown && anchor.current) || { id: from, base: now.selected }
    anchor.current = start
    now.onChange(rangeOf(start.base, shown, start.id, id))
  }, [])
  const toggle = useCallback(
    (id: string) => {
      const { selection: now } = latest.current
      if (!now) return
      if (isExtending.current && now.mode === 'multiple') {
        extendTo(id)
        return
      }
      const next = pressedRow(now, id)
      anchor.current = { id, base: next }
      now.onChange(next)
    },
    [extendTo],
  )
  return {
    toggle,
    extendTo,
    extendsBy: (isShift: boolean) => {
      isExtending.current = isShift
    },
    all: () => selection?.onChange(new Set([...selection.selected, ...keys])),
    clear: () => {
      if (!selection || selection.selected.size === 0) return false
      selection.onChange(new Set())
      return true
    },
  }
}

interface SelectionControlProps {
  mode: TableSelection['mode']
  label: string
  isSelected: boolean
  isIndeterminate?: boolean
  /** Shows the label beside the control. */
  isLabelShown?: boolean
  onToggle: () => void
}

/** Checkbox, or radio button in single mode, that chooses a row or all of them. */
export function SelectionControl({
  mode,
  label,
  isSelected,
  isIndeterminate = false,
  isLabelShown = false,
  onToggle,
}: SelectionControlProps) {
  const ref = useRef<HTMLInputElement>(null)
  // The third state of a checkbox exists as a property only.
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = isIndeterminate
  }, [isIndeterminate])
  return (
    <label className="flex size-full items-center justify-center">
      <input
        ref={ref}
        type={mode === 'single' ? 'radio' : 'checkbox'}
        aria-label={label}
        checked={isSelected}
        onChange={onToggle}
        className="size-4 shrink-0 accent-accent-solid"
      />
      {isLabelShown && label}
    </label>
  )
}
