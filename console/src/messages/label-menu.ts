/** What lists and menus say of labels. Everything else about them is in `labels`, which is loaded when it is needed. */

export const labelsLabel = 'Labels'
export const editLabel = 'Edit labels'
