import * as text from '~/messages/second-factor'

/** A key in groups of four characters, which are easier to type. */
export const groupedKey = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

/** The user that recovery codes belong to, and where they are valid. */
export interface RecoveryCodesOwner {
  /** Name of the user. */
  user: string
  /** Name of the user's silo. */
  silo: string
  /** Host of the console. */
  host: string
}

/** The content of the file with recovery codes. It has to be understandable years later. */
export const recoveryCodesFile = (
  codes: readonly string[],
  { user, silo, host }: RecoveryCodesOwner,
  now: Date,
): string =>
  [
    text.codesFileOwnerText(user, silo, host),
    text.codesFileDateText(now.toISOString().slice(0, 10)),
    text.codesFileUseText,
    '',
    ...codes,
    '',
  ].join('\n')
