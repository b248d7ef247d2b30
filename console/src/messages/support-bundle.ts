/** Texts about support bundles. */

export const deletingToast = 'Support bundle is being deleted'
export const editCommentLabel = 'Edit comment'
export const beingDeletedError = 'It is being deleted'
export const deleteCollectingHelp = 'The collection is still in progress and will be canceled.'
export const deleteHelp = 'Its files are lost unless you have downloaded them.'
export const commentTooLongError = (max: number) => `User comment cannot exceed ${max} bytes`
export const collectingToast = 'Support bundle is being collected'
export const createTitle = 'Create support bundle'
export const createLabel = 'Create support bundle'
export const createCommentHelp =
  'Describes the purpose of the bundle. You can change it at any time.'
export const commentUpdatedToast = 'Comment updated'
export const editCommentTitle = 'Edit comment'
export const updateCommentLabel = 'Update comment'
export const editCommentHelp = 'Leave blank to remove the comment.'
export const docsTitle = 'Learn about support bundles'
export const docsHelp =
  'A support bundle is an archive for diagnosing a problem. It contains configuration without secrets, recent logs, versions, the inventory and object counts from the database. The number of bundles is limited.'
export const bundlesLabel = 'Support bundles'
export const downloadsLabel = 'Downloads'
export const beingCollectedError = 'It is still being collected'
export const notCollectedError = 'It could not be collected'
