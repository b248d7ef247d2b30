import * as text from '~/messages/validation'

/** Fewest characters of a password. The server checks further rules. */
const MIN_PASSWORD_LENGTH = 12

/** Longest password, in bytes of UTF-8. */
const MAX_PASSWORD_BYTES = 512

/** What is wrong with a password that somebody chooses, as far as the browser can tell, or `undefined`. */
export function newPasswordProblem(password: string): string | undefined {
  if ([...password].length < MIN_PASSWORD_LENGTH)
    return text.passwordTooShortError(MIN_PASSWORD_LENGTH)
  return new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES
    ? text.passwordTooLongError(MAX_PASSWORD_BYTES)
    : undefined
}
