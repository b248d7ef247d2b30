import * as text from '~/messages/validation'

/** A code without the spaces that were typed in it. */
export const plainCode = (typed: string): string => typed.replaceAll(/\s/g, '')

/** What is wrong with the code of an authenticator app, as far as the browser can tell, or `undefined`. */
export const oneTimeCodeProblem = (typed: string): string | undefined =>
  /^\d{6}$/.test(plainCode(typed)) ? undefined : text.oneTimeCodeError
