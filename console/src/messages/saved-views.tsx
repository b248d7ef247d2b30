/** Views of a list that a person has saved. */

export const savedViewsLabel = 'Saved views'
export const currentLabel = (name: string) => `View: ${name}`
// The end of a long name is cut.
export const changedLabel = (name: string) => `View (changed): ${name}`
export const saveLabel = 'Save view…'
export const updateLabel = 'Update view'
export const renameLabel = 'Rename view…'
export const deleteLabel = 'Delete view…'
export const copyLinkLabel = 'Copy link to view'
export const saveTitle = 'Save view'
export const saveHelp =
  'Columns, density, sorting, search and filters as they are now. Only you see the view, in this browser; copy its link for others.'
export const saveButtonLabel = 'Save'
export const renameTitle = 'Rename view'
export const renameButtonLabel = 'Rename'
export const takenError =
  'A view of this list has this name. Choose another name, or update that view.'
export const tooManyError = (most: number) =>
  `This list has ${most} saved views, which is the most. Delete one to save another.`
export const nothingChangedError = 'The list is as saved.'
export const deleteTitle = 'Confirm delete view'
export const deleteQuestion = (name: string) => (
  <>
    Delete the saved view <b>{name}</b>? The list stays as it is shown now.
  </>
)
export const failedTitle = 'Could not keep the view'
export const failedError =
  'The browser did not keep it. Allow this site to store data, or make room, and try again.'
export const savedToast = (name: string) => (
  <>
    View <b>{name}</b> saved
  </>
)
export const updatedToast = (name: string) => (
  <>
    View <b>{name}</b> updated
  </>
)
export const renamedToast = (name: string) => (
  <>
    Renamed view to <b>{name}</b>
  </>
)
export const deletedToast = (name: string) => (
  <>
    View <b>{name}</b> deleted
  </>
)
export const linkCopiedToast = 'Link copied'
export const linkFailedTitle = 'Could not copy the link'
