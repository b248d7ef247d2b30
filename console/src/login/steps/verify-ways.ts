import type { VerifyOptions } from '~/api/generated/types.gen'

/** A kind of second factor. */
export type VerifyWay = 'totp' | 'passkey' | 'recovery_code'

/** The available kinds, the most common first. */
export function verifyWays(options: VerifyOptions, canUsePasskeys: boolean): VerifyWay[] {
  const ways: [way: VerifyWay, isOpen: boolean][] = [
    ['totp', options.totp],
    ['passkey', Boolean(options.passkey) && canUsePasskeys],
    ['recovery_code', options.recoveryCodesLeft > 0],
  ]
  return ways.filter(([, isOpen]) => isOpen).map(([way]) => way)
}
