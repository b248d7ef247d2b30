import type { UserPassword } from '~/api/generated/types.gen'
import { generatePassword } from '~/lib/generate-password'

/** Where a user's password comes from. */
export type PasswordSource = 'generated' | 'entered' | 'none'

/** The part of a form that decides on a password. */
export interface PasswordChoice {
  source: PasswordSource
  /** What was typed; meant only when `source` is `entered`. */
  password: string
}

/** A password on its way to the server. */
export interface ChosenPassword {
  password: UserPassword
  /** The password that was made here, and that nobody has seen yet. */
  generated?: string
}

/** Makes the password that a person decided on. */
export function choosePassword({ source, password }: PasswordChoice): ChosenPassword {
  if (source === 'none') return { password: { mode: 'login_disallowed' } }
  if (source === 'entered') return { password: { mode: 'password', value: password } }
  const generated = generatePassword()
  return { password: { mode: 'password', value: generated }, generated }
}
