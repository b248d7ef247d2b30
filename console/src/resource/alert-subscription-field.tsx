import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'

import { alertClassList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { isGlob, matchesPattern } from '~/lib/alert-pattern'
import * as text from '~/messages/alert'
import { cn } from '~/ui/class-names'

const classes = q(alertClassList, { query: { limit: allItems } })

/** All alert classes; empty until they are loaded. */
export function useAlertClasses() {
  const { data } = useQuery(classes)
  return data?.items ?? []
}

/** Explains patterns and marks the classes that the entered pattern matches. */
export function AlertClassHelp({ pattern }: { pattern: string }) {
  const known = useAlertClasses().filter(({ name }) => name !== 'probe')
  const covered = known.filter(({ name }) => pattern && matchesPattern(pattern, name))
  return (
    <div className="max-w-lg space-y-2 text-sm text-fg-muted">
      <p>{text.patternHelp(<Code>*</Code>, <Code>**</Code>)}</p>
      <ul
        aria-label={text.alertClassesLabel}
        className="overflow-hidden rounded-md border border-line [&>li+li]:border-t [&>li+li]:border-line"
      >
        {known.map((each) => {
          const isCovered = covered.includes(each)
          return (
            <li key={each.name} className="flex gap-2 px-3 py-2">
              <Check
                aria-hidden="true"
                className={cn('mt-0.5 size-4 shrink-0 text-accent-text', !isCovered && 'invisible')}
              />
              <span className="min-w-0">
                <span className="font-mono text-xs text-fg">{each.name}</span>
                {isCovered && <span className="sr-only"> {text.matchesText}</span>}
                <span className="block text-xs">{each.description}</span>
              </span>
            </li>
          )
        })}
      </ul>
      <p role="status" className="text-xs">
        {isGlob(pattern) && covered.length === 0 && text.noMatchText}
      </p>
    </div>
  )
}

const Code = ({ children }: { children: string }) => (
  <code className="rounded-sm bg-sunken px-1 font-mono text-xs text-fg">{children}</code>
)
