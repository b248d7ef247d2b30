import { Search } from 'lucide-react'

import { cn } from '~/ui/class-names'
import { CONTROL_CLASS } from '~/ui/control-class'

interface FilterFieldProps {
  /** What it finds, for example "Filter rules". */
  label: string
  value: string
  onChange: (value: string) => void
  className?: string
}

/** Filters the rows of a table while typing. The key `/` focuses it. */
export function FilterField({ label, value, onChange, className }: FilterFieldProps) {
  return (
    <div className={cn('relative', className)}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-2 left-2.5 size-4 text-fg-subtle"
      />
      <input
        type="search"
        data-filter
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.preventDefault()
          event.stopPropagation()
          onChange('')
        }}
        spellCheck={false}
        autoComplete="off"
        className={cn(CONTROL_CLASS, 'h-8 pl-8')}
      />
    </div>
  )
}
