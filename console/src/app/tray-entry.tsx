import { useEffect, useId, useRef } from 'react'
import type { ReactNode } from 'react'

interface TrayEntryProps {
  title: string
  /** When it began, or where it is; beside the title. */
  note?: ReactNode
  /** What decides about the buttons. When it changes, the one with the focus may be gone. */
  state: string
  children: ReactNode
}

/** Something that goes on, in a list of such. Keeps the focus when its button is gone. */
export function TrayEntry({ title, note, state, children }: TrayEntryProps) {
  const id = useId()
  const entry = useRef<HTMLLIElement>(null)
  const hadFocus = useRef(false)
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) entry.current?.focus()
  }, [state])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the focus of any of its controls
    <li
      ref={entry}
      tabIndex={-1}
      aria-labelledby={id}
      onFocus={() => {
        hadFocus.current = true
      }}
      onBlur={({ relatedTarget }) => {
        // What is taken away while it has the focus leaves it to nothing.
        if (relatedTarget) hadFocus.current = false
      }}
      className="space-y-2 px-4 py-3 -outline-offset-2"
    >
      <div className="flex items-baseline justify-between gap-3">
        <h3 id={id} className="min-w-0 text-sm font-medium break-words">
          {title}
        </h3>
        <span className="shrink-0 text-xs text-fg-subtle">{note}</span>
      </div>
      {children}
    </li>
  )
}
