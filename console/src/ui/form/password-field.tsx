import type { FieldPath, FieldValues } from 'react-hook-form'

import { TextFieldWithRules, textOf, type TextFieldProps } from '~/ui/form/text-field'

/**
 * Password. The value is a string; white space counts.
 *
 * @param props.autoComplete `current-password` when signing in, `new-password` when setting one.
 */
export function PasswordField<V extends FieldValues, N extends FieldPath<V>>(
  props: Omit<TextFieldProps<V, N>, 'type' | 'transform' | 'isCode' | 'isSecret'> & {
    autoComplete: 'current-password' | 'new-password'
  },
) {
  return (
    <TextFieldWithRules
      {...props}
      type="password"
      isSecret
      rules={{ isEmpty: (value) => textOf(value) === '' }}
    />
  )
}
