/** Texts about sleds. */

export const expungedError = 'An expunged sled cannot return to service'
export const stopProvisioningLabel = 'Stop provisioning'
export const resumeProvisioningLabel = 'Resume provisioning'
export const stopProvisioningTitle = 'Confirm stop provisioning'
export const stopProvisioningQuestion = (serial: string) => (
  <>
    Are you sure you want to make sled <b>{serial}</b> not provisionable?
  </>
)
export const stopProvisioningHelp =
  'No new instances or disks are placed on it, and its capacity no longer counts as available. Running instances keep running.'
export const provisioningErrorTitle = 'Could not change provision policy'
export const resumeProvisioningTitle = 'Confirm resume provisioning'
export const resumeProvisioningQuestion = (serial: string) => (
  <>
    Are you sure you want to make sled <b>{serial}</b> provisionable? New instances and disks may
    then be placed on it.
  </>
)
export const addedToast = (serial: string) => (
  <>
    Sled <b>{serial}</b> added
  </>
)
export const addLabel = 'Add sled'
export const addTitle = 'Confirm add sled'
export const addQuestion = (serial: string, part: string) => (
  <>
    Are you sure you want to add sled <b>{serial}</b> (part {part})?
  </>
)
export const addHelp =
  'Its processors, memory and disks become part of the system’s capacity, and new instances may be placed on it. A sled can only be removed by expunging it.'
export const addErrorTitle = 'Could not add sled'
export const sledLabel = (id: string) => `Sled ${id}`
export const provisionableToast = (serial: string) => (
  <>
    Sled <b>{serial}</b> is now provisionable
  </>
)
export const notProvisionableToast = (serial: string) => (
  <>
    Sled <b>{serial}</b> is now not provisionable
  </>
)
