/** Texts about identity providers. */

export const deleteHelp = (silo: string) => (
  <>
    Users can no longer sign in to silo <b>{silo}</b> through it, and sessions opened through it end
    at once. The users, their roles and their resources are kept.
  </>
)
export const deletedToast = (name: string) => (
  <>
    Identity provider <b>{name}</b> deleted
  </>
)
export const urlError = 'Must be a URL that starts with https:// or http://'
