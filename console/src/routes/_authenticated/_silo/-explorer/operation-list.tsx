import { Search } from 'lucide-react'
import { useState } from 'react'
import { Input } from 'react-aria-components/Input'
import { SearchField } from 'react-aria-components/SearchField'

import * as text from '~/messages/explorer-screens'
import { cn } from '~/ui/class-names'
import { CONTROL_CLASS } from '~/ui/control-class'
import { Link } from '~/ui/link'

import { MethodBadge } from './method-badge'
import { searchOperations } from './openapi'
import type { ApiGroup } from './openapi'

interface OperationListProps {
  groups: readonly ApiGroup[]
  selected: string | undefined
}

/** All operations by tag, with a search field. */
export function OperationList({ groups, selected }: OperationListProps) {
  const [query, setQuery] = useState('')
  const found = searchOperations(groups, query)
  const count = found.reduce((sum, { operations }) => sum + operations.length, 0)
  return (
    <div className="flex flex-col lg:sticky lg:top-0 lg:max-h-[calc(100dvh-var(--top-bar-height)-6rem)]">
      <SearchField
        aria-label={text.findLabel}
        value={query}
        onChange={setQuery}
        className="relative"
      >
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-2 left-2.5 size-4 text-fg-subtle"
        />
        <Input
          data-filter
          placeholder={text.findPlaceholder}
          spellCheck={false}
          className={cn(
            CONTROL_CLASS,
            'h-8 pl-8 [&::-webkit-search-cancel-button]:appearance-none',
          )}
        />
      </SearchField>
      <p role="status" className="mt-2 text-xs text-fg-subtle">
        {count === 0 ? text.noMatchHelp : text.operationCountText(count)}
      </p>
      <nav
        ref={(element) =>
          element?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
        }
        aria-label={text.operationsLabel}
        className="mt-3 min-h-0 space-y-5 lg:overflow-y-auto"
      >
        {found.map(({ tag, operations }) => (
          <div key={tag}>
            <h2 id={headingId(tag)} className="pb-1 text-label text-fg-subtle">
              {tag}
            </h2>
            <ul aria-labelledby={headingId(tag)}>
              {operations.map(({ id, method }) => (
                <li key={id}>
                  <Link
                    href={`/explorer?operation=${encodeURIComponent(id)}`}
                    aria-current={id === selected ? 'page' : undefined}
                    className={cn(
                      'flex min-h-8 items-center gap-2 rounded-sm px-2 py-1 text-sm',
                      id === selected
                        ? 'bg-selected text-fg'
                        : 'text-fg-muted hover:bg-hover hover:text-fg',
                    )}
                  >
                    <span className="w-14 shrink-0">
                      <MethodBadge method={method} />
                    </span>
                    <code className="min-w-0 truncate text-xs">{id}</code>
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  )
}

const headingId = (tag: string) => `tag-${tag.replaceAll(' ', '-')}`
