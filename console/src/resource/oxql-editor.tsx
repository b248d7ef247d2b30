import { useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'

import * as text from '~/messages/oxql'
import type { MetricSchema } from '~/resource/metric-schemas'
import { OxqlCode } from '~/resource/oxql-code'
import { completionsAt } from '~/resource/oxql-completion'
import type { Completion, Completions } from '~/resource/oxql-completion'
import { cn } from '~/ui/class-names'

interface OxqlEditorProps {
  value: string
  onChange: (query: string) => void
  onRun: () => void
  schemas: readonly MetricSchema[]
  /** Position of a syntax error reported by the server. */
  errorOffset?: number
  /** Id of the element with the error message. */
  errorId?: string
}

/** The text area and the highlighted text are on top of each other, so both need the same style. */
const textClass =
  'col-start-1 row-start-1 min-h-28 px-3 py-2.5 font-mono text-sm leading-6 break-words whitespace-pre-wrap'
const MAX_OPTIONS = 50
const none: Completions = { from: 0, options: [] }

/** An editor for queries, with syntax highlighting and completions. */
export function OxqlEditor(props: OxqlEditorProps) {
  const { value, onChange, onRun, schemas, errorOffset, errorId } = props
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [completions, setCompletions] = useState(none)
  const [active, setActive] = useState(-1)
  const options = completions.options.slice(0, MAX_OPTIONS)
  const isOpen = options.length > 0

  const close = () => {
    setCompletions(none)
    setActive(-1)
  }
  const suggest = (query: string, caret: number) => {
    setCompletions(completionsAt(query, caret, schemas))
    setActive(-1)
  }
  const type = (query: string, caret: number) => {
    onChange(query)
    suggest(query, caret)
  }
  const accept = ({ text: inserted }: Completion) => {
    const element = field.current
    if (!element) return
    const caret = element.selectionStart
    element.focus()
    element.setSelectionRange(completions.from, caret)
    // Insertions by this command can be undone in the browser. Not every browser supports it.
    const isInserted = document.execCommand?.('insertText', false, inserted)
    if (!isInserted) {
      element.setRangeText(inserted, completions.from, caret, 'end')
      onChange(element.value)
    }
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyAction(event, { isOpen, active, count: options.length })
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    switch (action.type) {
      case 'run':
        close()
        return onRun()
      case 'suggest':
        return suggest(value, field.current?.selectionStart ?? 0)
      case 'close':
        return close()
      case 'move':
        return setActive(action.to)
      case 'accept': {
        const option = options[action.index]
        return option && accept(option)
      }
    }
  }
  return (
    <div className="relative">
      <div
        className={cn(
          'grid rounded-sm border bg-field focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-focus',
          errorOffset === undefined ? 'border-line-control' : 'border-danger-solid',
        )}
      >
        <pre aria-hidden="true" className={cn(textClass, 'pointer-events-none')}>
          <OxqlCode query={value} errorOffset={errorOffset} />
          {/* A last line without text would have no height. */}
          {'\n'}
        </pre>
        <textarea
          ref={field}
          aria-label={text.queryLabel}
          aria-autocomplete="list"
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          aria-describedby={cn(`${id}-help`, errorId)}
          aria-invalid={errorOffset !== undefined || undefined}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          placeholder="get virtual_machine:vcpu_usage | filter timestamp > @now() - 1h"
          value={value}
          onChange={({ target }) => type(target.value, target.selectionStart)}
          onKeyDown={onKeyDown}
          onBlur={close}
          className={cn(
            textClass,
            'resize-none overflow-hidden bg-transparent text-transparent caret-fg outline-none placeholder:text-fg-subtle',
          )}
        />
      </div>
      <p id={`${id}-help`} className="mt-1.5 text-xs text-fg-subtle">
        {text.keysHelp(
          <kbd className="font-mono">Ctrl Enter</kbd>,
          <kbd className="font-mono">Ctrl Space</kbd>,
          <kbd className="font-mono">Tab</kbd>,
        )}
      </p>
      {isOpen && <CompletionList id={id} options={options} active={active} onChoose={accept} />}
    </div>
  )
}

type EditorAction =
  | { type: 'run' }
  | { type: 'suggest' }
  | { type: 'close' }
  | { type: 'move'; to: number }
  | { type: 'accept'; index: number }

/** The action of a key in the editor; `undefined` for ordinary input. */
function keyAction(
  { key, ctrlKey, metaKey, shiftKey, altKey, nativeEvent }: KeyboardEvent,
  { isOpen, active, count }: { isOpen: boolean; active: number; count: number },
): EditorAction | undefined {
  if (nativeEvent.isComposing) return undefined
  const isCommand = ctrlKey || metaKey
  if (isCommand && key === 'Enter') return { type: 'run' }
  if (ctrlKey && key === ' ') return { type: 'suggest' }
  if (!isOpen || isCommand || altKey || shiftKey) return undefined
  if (key === 'Escape') return { type: 'close' }
  if (key === 'ArrowDown') return { type: 'move', to: (active + 1) % count }
  if (key === 'ArrowUp') return { type: 'move', to: (Math.max(active, 0) - 1 + count) % count }
  if (key === 'Tab') return { type: 'accept', index: Math.max(active, 0) }
  // Without a selected option, Enter inserts a line break.
  if (key === 'Enter' && active >= 0) return { type: 'accept', index: active }
  return undefined
}

interface CompletionListProps {
  id: string
  options: readonly Completion[]
  active: number
  onChoose: (option: Completion) => void
}

function CompletionList({ id, options, active, onChoose }: CompletionListProps) {
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label={text.completionsLabel}
      className="absolute inset-x-0 top-full z-20 -mt-6 max-h-64 max-w-lg overflow-y-auto rounded-md bg-raised py-1 shadow-overlay"
    >
      {options.map((option, index) => (
        <div
          key={option.text}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          ref={(element) => {
            if (index === active) element?.scrollIntoView({ block: 'nearest' })
          }}
          // Keeps the focus in the text area.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(option)
          }}
          className={cn(
            'flex min-h-7 cursor-default items-center justify-between gap-4 px-3 text-sm hover:bg-hover',
            index === active && 'bg-selected',
          )}
        >
          <code className="min-w-0 truncate font-mono text-xs">{option.text}</code>
          <span className="shrink-0 text-xs text-fg-subtle">{option.detail}</span>
        </div>
      ))}
    </div>
  )
}
