import type { FieldPath, FieldValues } from 'react-hook-form'

import { validateName } from '~/lib/validate-name'
import * as common from '~/messages/common'
import { TextFieldWithRules, textOf, type TextFieldProps } from '~/ui/form/text-field'

// A resource's name is no account; password managers would offer to fill and to save it.
const IGNORED_BY_PASSWORD_MANAGERS = {
  'data-1p-ignore': 'true',
  'data-bwignore': 'true',
  'data-lpignore': 'true',
  'data-form-type': 'other',
} as const

/** Name of a resource, required unless said otherwise. The value is a string and is not trimmed. */
export function NameField<V extends FieldValues, N extends FieldPath<V>>({
  required = true,
  ...props
}: Omit<TextFieldProps<V, N>, 'type' | 'inputProps'>) {
  const label = props.label ?? common.nameLabel
  return (
    <TextFieldWithRules
      {...props}
      label={label}
      required={required}
      inputProps={IGNORED_BY_PASSWORD_MANAGERS}
      rules={{
        isEmpty: (value) => textOf(value) === '',
        // The length is checked before emptiness, and the order of messages is fixed.
        checksEmpty: true,
        check: (value) => validateName(textOf(value), label, required),
      }}
    />
  )
}
