import { useState } from 'react'

import type { SearchResult } from '~/api/generated/types.gen'
import * as text from '~/messages/search'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'

interface KindFiltersProps {
  results: readonly SearchResult[]
  /** The kind that alone is shown. */
  chosen?: string
  onChoose: (kind: string | undefined) => void
  className?: string
}

/** Chips with the kinds that were found, each of which shows that kind alone. */
export function KindFilters({ results, chosen, onChoose, className }: KindFiltersProps) {
  const found = [...new Set(results.map(({ kind }) => kind))]
  // While one kind alone is shown, the others stay to go back to.
  const [known, setKnown] = useState(found)
  if (!chosen && found.join() !== known.join()) setKnown(found)
  const kinds = chosen && !known.includes(chosen) ? [...known, chosen] : known
  if (kinds.length < 2 && !chosen) return null
  return (
    <div
      role="group"
      aria-label={text.kindFilterLabel}
      className={cn('flex gap-1.5 overflow-x-auto', className)}
    >
      {[undefined, ...kinds].map((kind) => (
        <Button
          key={kind ?? ''}
          needs={null}
          size="sm"
          variant={kind === chosen ? 'primary' : 'secondary'}
          aria-pressed={kind === chosen}
          onPress={() => onChoose(kind)}
        >
          {kind === undefined ? text.allKindsLabel : (text.kindLabel[kind] ?? kind)}
        </Button>
      ))}
    </div>
  )
}
