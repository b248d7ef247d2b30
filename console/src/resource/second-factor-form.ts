import * as text from '~/messages/second-factor'

/** A key in groups of four, as people type it into an authenticator app. */
export const groupedKey = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

/** Whose recovery codes these are, and where they count. */
export interface RecoveryCodesOwner {
  /** Name of the user. */
  user: string
  /** Name of the user's silo. */
  silo: string
  /** Host of the console. */
  host: string
}

/** What is written to the file with recovery codes, which has to explain itself years later. */
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
