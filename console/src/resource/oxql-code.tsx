import { useMemo } from 'react'

import { oxqlTokens } from '~/resource/oxql-tokens'
import type { OxqlTokenKind } from '~/resource/oxql-tokens'
import { cn } from '~/ui/class-names'

const colors: Record<OxqlTokenKind, string | undefined> = {
  keyword: 'text-violet-text',
  function: 'text-info-text',
  name: 'text-accent-text',
  field: 'text-fg',
  string: 'text-notice-text',
  number: 'text-notice-text',
  timestamp: 'text-info-text',
  operator: 'text-fg-muted',
  space: undefined,
  other: 'text-danger-text',
}

const errorClass =
  'underline decoration-danger-solid decoration-wavy decoration-2 underline-offset-4'

interface OxqlCodeProps {
  query: string
  /** Position of an error. The token there is underlined. */
  errorOffset?: number
}

/** A query with syntax highlighting. */
export function OxqlCode({ query, errorOffset = -1 }: OxqlCodeProps) {
  const parts = useMemo(() => oxqlTokens(query), [query])
  return (
    <code className="font-mono">
      {parts.map(({ kind, text, start }) => (
        <span
          key={start}
          className={cn(
            colors[kind],
            start <= errorOffset && errorOffset < start + text.length && errorClass,
          )}
        >
          {text}
        </span>
      ))}
    </code>
  )
}
