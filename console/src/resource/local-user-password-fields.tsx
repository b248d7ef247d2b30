import { useWatch } from 'react-hook-form'
import type { Control, FieldPathByValue, FieldValues } from 'react-hook-form'

import { newPasswordProblem } from '~/lib/new-password'
import { PasswordField } from '~/ui/form/password-field'
import { RadioField } from '~/ui/form/radio-field'
import type { RadioOption } from '~/ui/form/radio-field'

import type { PasswordSource } from './local-user-password'

const generated: RadioOption = {
  value: 'generated',
  label: 'Generate a password',
  detail: 'Shown once, after you submit this form',
}
const entered: RadioOption = { value: 'entered', label: 'Enter a password' }
const none: RadioOption = {
  value: 'none',
  label: 'No password',
  detail: 'The user cannot sign in until a password is set',
}

interface PasswordFieldsProps<V extends FieldValues> {
  control: Control<V>
  source: FieldPathByValue<V, PasswordSource>
  password: FieldPathByValue<V, string>
  /** Whether having none is offered. */
  allowsNone?: boolean
}

/** Asks which password a user is to have. */
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
        label="Password"
        options={allowsNone ? [generated, entered, none] : [generated, entered]}
      />
      {chosen === 'entered' && (
        <PasswordField
          name={password}
          control={control}
          label="New password"
          autoComplete="new-password"
          required
          validate={newPasswordProblem}
        />
      )}
    </>
  )
}
