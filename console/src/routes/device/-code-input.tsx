import { Fragment, useEffect, useRef } from 'react'
import type { ClipboardEvent, KeyboardEvent } from 'react'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'

import { DEVICE_CODE_DASH, fillBoxes, lettersOf, readEdit, withBox } from '~/lib/device-code'
import type { CodeBoxes } from '~/lib/device-code'
import * as text from '~/messages/device-screens'
import { cn } from '~/ui/class-names'

interface CodeInputProps {
  value: CodeBoxes
  onChange: (value: CodeBoxes) => void
  isInvalid: boolean
  /** Id of the element with the error. */
  describedBy?: string
  /** While the code is being submitted. It cannot be changed, and the focus stays. */
  isReadOnly: boolean
  /** Focuses the first box. Not needed if the code is filled in already. */
  autoFocus: boolean
}

/** One box per letter of a device code. The boxes act as one field: the focus moves on as letters are typed, and a pasted code fills all boxes. */
export function CodeInput(props: CodeInputProps) {
  const { value, onChange, isInvalid, describedBy, isReadOnly, autoFocus } = props
  const inputs = useRef<(HTMLInputElement | null)[]>([])
  const focus = (index: number) => inputs.current[index]?.focus()
  const startsFocused = useRef(autoFocus)
  useEffect(() => {
    if (startsFocused.current) focus(0)
  }, [])

  const fill = (typed: string) => {
    const next = fillBoxes(value, typed)
    onChange(next)
    const empty = next.findIndex((letter) => !letter)
    focus(empty === -1 ? next.length - 1 : empty)
  }

  const edit = (index: number, typed: string) => {
    const meaning = readEdit(value[index] ?? '', typed)
    if (!meaning) return
    if (meaning.type === 'text') {
      fill(meaning.text)
      return
    }
    onChange(withBox(value, index, meaning.letter))
    if (meaning.letter) focus(index + 1)
  }

  const onKeyDown = (index: number, event: KeyboardEvent) => {
    if (event.key === 'Backspace' && !value[index] && index > 0 && !isReadOnly) {
      event.preventDefault()
      onChange(withBox(value, index - 1, ''))
      focus(index - 1)
    }
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    focus(index + step)
  }

  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    const pasted = event.clipboardData.getData('text')
    if (lettersOf(pasted).length > 0 && !isReadOnly) fill(pasted)
  }

  return (
    <Group
      aria-label={text.codeLabel}
      aria-describedby={describedBy}
      className="flex items-center justify-center gap-1.5 outline-none sm:gap-2"
    >
      {value.map((letter, index) => (
        <Fragment key={index}>
          {index === DEVICE_CODE_DASH && (
            <span aria-hidden="true" className="text-fg-subtle">
              –
            </span>
          )}
          <Input
            ref={(element) => {
              inputs.current[index] = element
            }}
            aria-label={text.characterLabel(index + 1)}
            aria-invalid={isInvalid || undefined}
            value={letter}
            readOnly={isReadOnly}
            onChange={(event) => edit(index, event.target.value)}
            onFocus={(event) => event.target.select()}
            onKeyDown={(event) => onKeyDown(index, event)}
            onPaste={onPaste}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            className={cn(
              'h-12 w-full max-w-11 min-w-0 rounded-sm border bg-field text-center font-mono text-lg uppercase',
              isInvalid ? 'border-danger-solid' : 'border-line-control',
            )}
          />
        </Fragment>
      ))}
    </Group>
  )
}
