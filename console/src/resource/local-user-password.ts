import type { UserPassword } from '~/api/generated/types.gen'
import { generatePassword } from '~/lib/generate-password'

/** Where a user's password comes from. */
export type PasswordSource = 'generated' | 'entered' | 'none'

/** The form fields for a password. */
export interface PasswordChoice {
  source: PasswordSource
  /** The entered password. Used only if `source` is `entered`. */
  password: string
}

/** A password to send to the server. */
export interface ChosenPassword {
  password: UserPassword
  /** The generated password, which has to be shown to the person. */
  generated?: string
}

/** Returns the password that the form describes. */
export function choosePassword({ source, password }: PasswordChoice): ChosenPassword {
  if (source === 'none') return { password: { mode: 'login_disallowed' } }
  if (source === 'entered') return { password: { mode: 'password', value: password } }
  const generated = generatePassword()
  return { password: { mode: 'password', value: generated }, generated }
}
