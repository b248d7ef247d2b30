import { useId, useRef, useState } from 'react'
import { TextArea } from 'react-aria-components/TextArea'

import * as common from '~/messages/common'
import * as text from '~/messages/type-text'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { CONTROL_CLASS } from '~/ui/control-class'
import { Dialog } from '~/ui/dialog'
import { useFocusFirst } from '~/ui/use-focus-first'

interface TypeTextProps {
  onType: (text: string) => void
  onDismiss: () => void
}

/** Asks for a text that is then typed. It is not kept, since it may be a password. */
export function TypeText({ onType, onDismiss }: TypeTextProps) {
  const [entered, setEntered] = useState('')
  const helpId = useId()
  const type = () => {
    onDismiss()
    onType(entered)
  }
  return (
    <Dialog
      title={text.typeTitle}
      isOpen
      onDismiss={onDismiss}
      footer={
        <>
          <Button needs={null} variant="secondary" size="sm" onPress={onDismiss}>
            {common.cancelLabel}
          </Button>
          <Button
            needs={null}
            size="sm"
            disabledReason={entered === '' ? text.noTextError : undefined}
            onPress={type}
          >
            {text.typeButtonLabel}
          </Button>
        </>
      }
    >
      <Field helpId={helpId} value={entered} onChange={setEntered} />
      <p id={helpId} className="mt-2 text-sm">
        {text.typeHelp}
      </p>
    </Dialog>
  )
}

interface FieldProps {
  helpId: string
  value: string
  onChange: (value: string) => void
}

/** The field, which has the focus from the start. */
function Field({ helpId, value, onChange }: FieldProps) {
  const id = useId()
  const body = useRef<HTMLDivElement>(null)
  useFocusFirst(body)
  return (
    <div ref={body}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium text-fg">
        {text.typeFieldLabel}
      </label>
      <TextArea
        id={id}
        aria-describedby={helpId}
        rows={4}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        className={cn(CONTROL_CLASS, 'min-h-8 resize-y py-1.5 font-mono')}
      />
    </div>
  )
}
