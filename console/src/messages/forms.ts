/** Forms and their fields. */

export const selectOrEnterPlaceholder = 'Select an option or enter a custom value'
export const selectPlaceholder = 'Select an option'
export const noItemsTitle = 'No items'
export const noMatchTitle = 'No items match'
export const diskSizeLabel = 'Disk size'
export const optionalLabel = '(Optional)'
export const filePlaceholder = 'Drop a file or click to browse'
export const clearFileLabel = 'Clear file'
export const nameTakenError = 'Name already exists'
export const asCodeLabel = 'Show as code'
export const leaveTitle = 'Confirm navigation'
export const continueEditingLabel = 'Continue editing'
export const leavePageLabel = 'Leave this page'
export const leavePageQuestion =
  'Are you sure you want to leave this page? All progress will be lost.'
export const loadingOptionsLabel = 'Loading options'
export const keepEditingLabel = 'Keep editing'
export const leaveFormLabel = 'Leave form'
export const leaveFormQuestion =
  'Are you sure you want to leave this form? All progress will be lost.'

export const customLabel = (value: string) => `Custom: ${value}`

export const diskTooSmallError = (gib: number) => `Must be at least ${gib} GiB`

export const diskTooLargeError = (gib: number) => `Can be at most ${gib} GiB`

export const removeItemLabel = (number: number) => `Remove item ${number}`

export const increaseLabel = (field: string) => `Increase ${field}`

export const decreaseLabel = (field: string) => `Decrease ${field}`

export const issuesText = (count: number) => `${count} issues:`
