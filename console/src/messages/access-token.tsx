/** Texts about access tokens. */

export const deleteHelp =
  'This cannot be undone. Programs that use this token stop working until they get a new one.'
export const deletedToast = (name: string) => (
  <>
    Access token <b>{name}</b> deleted
  </>
)
export const neverExpiresLabel = 'Never'
export const expiredLabel = 'Expired'
