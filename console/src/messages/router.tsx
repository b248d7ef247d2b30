/** Texts about VPC routers. */

export const deleteHelp = 'This will also delete any routes belonging to this router.'
export const deleteSystemRouterError = 'System routers cannot be deleted'
export const deletedToast = (name: string) => (
  <>
    Router <b>{name}</b> deleted
  </>
)
