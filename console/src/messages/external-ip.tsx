/** Texts about the external addresses of instances. */

export const copyLabel = 'Copy IP address'
export const detachLabel = 'Detach'
export const detachSnatError = "SNAT IPs can't be detached"
export const detachTitle = {
  floating: 'Confirm detach floating IP',
  ephemeral: 'Confirm detach ephemeral IP',
}
export const detachFloatingHelp =
  'The instance can no longer be reached at this address. The project keeps the address.'
export const detachEphemeralHelp =
  'The instance can no longer be reached at this address, and the address may be assigned to somebody else.'
export const detachErrorTitle = {
  floating: 'Error detaching floating IP',
  ephemeral: 'Error detaching ephemeral IP',
}
export const floatingDetachedToast = (name: string) => (
  <>
    Floating IP <b>{name}</b> detached
  </>
)
export const ephemeralDetachedToast = 'Ephemeral IP detached'
export const detachFloatingQuestion = (name: string, ip: string, instance: string) => (
  <>
    Are you sure you want to detach floating IP <b>{name}</b> ({ip}) from <b>{instance}</b>?
  </>
)
export const detachEphemeralQuestion = (ip: string, instance: string) => (
  <>
    Are you sure you want to detach ephemeral IP <b>{ip}</b> from <b>{instance}</b>?
  </>
)
