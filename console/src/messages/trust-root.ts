/** Texts about the trust roots of updates. */

export const jsonError = 'Must be JSON'
