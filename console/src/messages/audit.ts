/** Texts about the audit log. */

export const notSignedInText = 'Not signed in'
export const siloLabel = (silo: string) => `Silo ${silo}`
