/** Labels of resources: pairs of a key and a value. */

export const editTitle = (name: string) => `Labels of ${name}`
export const editHelp =
  'Keys and values have up to 63 letters, digits, “-”, “_” and “.”. A key may begin with a domain, as in example.com/team.'
export const keyLabel = 'Key'
export const valueLabel = 'Value'
export const keyOfLabel = (position: number) => `Key of label ${position}`
export const valueOfLabel = (position: number) => `Value of label ${position}`
export const addLabel = 'Add label'
export const removeLabel = (label: string) => `Remove label ${label}`
export const noLabelsText = 'No labels yet.'
export const saveLabel = 'Save labels'
export const savedToast = (name: string) => (
  <>
    Labels of <b>{name}</b> saved
  </>
)
export const keyMissingError = 'Enter a key'
export const keyError =
  'A key has 1 to 63 letters, digits, “-”, “_” and “.”, and begins and ends with a letter or digit'
export const keyPrefixError =
  'What is before the “/” must be a domain name in lower case, such as example.com'
export const valueError =
  'A value has at most 63 letters, digits, “-”, “_” and “.”, and begins and ends with a letter or digit'
export const keyTakenError = 'Another label has this key'
export const tooManyError = (most: number) => `A resource has at most ${most} labels`
export const changedTitle = 'Somebody else has changed these labels'
export const changedText =
  'Load the labels as they are now. What you have entered here is discarded.'
export const loadCurrentLabel = 'Load current labels'
export const saveFailedTitle = 'Could not save labels'
export const loadFailedTitle = 'Could not load labels'
export const showLabelledLabel = (label: string) => `Show what has the label ${label}`
export const filterActionLabel = 'Filter by label'
export const filterTitle = 'Filter by label'
export const filterHelp = 'Without a value, everything that has the key is shown.'
export const groupActionLabel = 'Group by label'
export const groupTitle = 'Group by label'
export const groupHelp = 'The list has one table for each value of the key.'
export const groupLabel = 'Group'
export const groupedText = (key: string) => (
  <>
    Grouped by <b className="font-mono font-medium text-fg">{key}</b>
  </>
)
export const ungroupLabel = 'Stop grouping'
export const ungroupedText = (key: string) => `Without ${key}`
export const groupErrorTitle = 'Cannot group by this label'
export const applyLabel = 'Apply filter'
export const filterErrorTitle = 'Cannot filter by these labels'
export const filtersLabel = 'Filters by label'
export const removeFilterLabel = (label: string) => `Remove filter ${label}`
