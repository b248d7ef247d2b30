import { useEffect, useRef } from 'react'

/** Choosing rows of a {@link Table}. */
export interface TableSelection {
  mode: 'single' | 'multiple'
  /** Keys of the chosen rows. */
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
}

/** What is chosen once a row was pressed: it alone, or it as well unless it was chosen before. */
export function pressedRow({ mode, selected }: TableSelection, key: string): Set<string> {
  if (mode === 'single') return new Set([key])
  const next = new Set(selected)
  if (!next.delete(key)) next.add(key)
  return next
}

/** What is chosen once all rows in sight were pressed together; what is chosen on other pages stays. */
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
