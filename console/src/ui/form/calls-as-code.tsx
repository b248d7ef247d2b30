import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'

import type { FormCodeProps } from '~/as-code/form-code'
import * as text from '~/messages/forms'
import { onDemand } from '~/ui/on-demand'

/** Everything about the languages is loaded when it is opened. */
const FormCode = onDemand(async () => (await import('~/as-code/form-code')).FormCode<FieldValues>)

/** Opens calls as code: those of a form below its fields, or those of a question. */
export function AsCode<V extends FieldValues>(props: FormCodeProps<V>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details data-code onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="mb-3 w-fit cursor-default rounded-sm text-sm text-fg-muted hover:text-fg">
        {text.asCodeLabel}
      </summary>
      {isOpen && <FormCode {...(props as unknown as FormCodeProps<FieldValues>)} />}
    </details>
  )
}
