import { useEffect, useRef } from 'react'

/** Choosing rows of a {@link Table}. */
export interface TableSelection {
  mode: 'single' | 'multiple'
  /** Keys of the chosen rows. */
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
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
