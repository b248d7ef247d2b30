import type { ReactNode } from 'react'

/** Texts about floating IPs. */

export const detachLabel = 'Detach'
export const attachLabel = 'Attach'
export const deleteHelp = (ip: string) =>
  `Its address ${ip} returns to the pool and may be assigned to somebody else.`
export const deleteAttachedError =
  'This floating IP must be detached from the instance before it can be deleted'
export const deletedToast = (name: string) => (
  <>
    Floating IP <b>{name}</b> deleted
  </>
)
export const detachTitle = 'Detach Floating IP'
export const detachHelp =
  'The instance can no longer be reached at this address. The project keeps the address.'
export const detachErrorTitle = 'Error detaching floating IP'
export const detachedToast = (name: string) => (
  <>
    Floating IP <b>{name}</b> detached
  </>
)
export const attachTitle = 'Attach floating IP'
export const noneSelectedError = 'Select a floating IP first'
export const floatingIpLabel = 'Floating IP'
export const floatingIpPlaceholder = 'Select a floating IP'
export const detachQuestion = (name: string, ip: ReactNode, instance: string | undefined) =>
  instance ? (
    <>
      Are you sure you want to detach floating IP <b>{name}</b> ({ip}) from <b>{instance}</b>?
    </>
  ) : (
    <>
      Are you sure you want to detach floating IP <b>{name}</b> ({ip}) from its instance?
    </>
  )
