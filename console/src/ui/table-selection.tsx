import { useEffect, useRef } from 'react'

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

interface SelectionControlProps {
  mode: TableSelection['mode']
  label: string
  isSelected: boolean
  isIndeterminate?: boolean
  onToggle: () => void
}

/** Checkbox, or radio button in single mode, that chooses a row or all of them. */
export function SelectionControl({
  mode,
  label,
  isSelected,
  isIndeterminate = false,
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
    </label>
  )
}
