import { useWatch } from 'react-hook-form'
import type { Control, FieldPathByValue, FieldValues } from 'react-hook-form'

import { newPasswordProblem } from '~/lib/new-password'
import * as text from '~/messages/local-user'
import { PasswordField } from '~/ui/form/password-field'
import { RadioField } from '~/ui/form/radio-field'
import type { RadioOption } from '~/ui/form/radio-field'

import type { PasswordSource } from './local-user-password'

const generated: RadioOption = {
  value: 'generated',
  label: text.generatePasswordLabel,
  detail: text.generatePasswordHelp,
}
const entered: RadioOption = { value: 'entered', label: text.enterPasswordLabel }
const none: RadioOption = {
  value: 'none',
  label: text.noPasswordLabel,
  detail: text.noPasswordHelp,
}

interface PasswordFieldsProps<V extends FieldValues> {
  control: Control<V>
  source: FieldPathByValue<V, PasswordSource>
  password: FieldPathByValue<V, string>
  /** Whether "No password" is offered. */
  allowsNone?: boolean
}

/** Fields for the password of a user. */
export function PasswordFields<V extends FieldValues>({
  control,
  source,
  password,
  allowsNone = false,
}: PasswordFieldsProps<V>) {
  const chosen: PasswordSource = useWatch({ control, name: source })
  return (
    <>
      <RadioField
        name={source}
        control={control}
        label={text.passwordLabel}
        options={allowsNone ? [generated, entered, none] : [generated, entered]}
      />
      {chosen === 'entered' && (
        <PasswordField
          name={password}
          control={control}
          label={text.newPasswordLabel}
          autoComplete="new-password"
          required
          validate={newPasswordProblem}
        />
      )}
    </>
  )
}
