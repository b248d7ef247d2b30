/** Texts about widgets. */

export const widgetsTitle = 'Widgets'
export const widgetsLabel = 'Widgets'
export const docsTitle = 'Learn about widgets'
export const docsHelp = 'A widget is an example of a resource in a project.'
export const explorerLabel = 'Widgets in the API explorer'
export const newLabel = 'New widget'
export const emptyTitle = 'No widgets'
export const emptyHelp = 'Create a widget to see it here'
export const sizeLabel = 'size'
export const sizeText = (size: number) => `${size} mm`
export const createTitle = 'Create widget'
export const sizeFieldLabel = 'Size'
export const createdToast = (name: string) => (
  <>
    Widget <b>{name}</b> created
  </>
)
export const deletedToast = (name: string) => (
  <>
    Widget <b>{name}</b> deleted
  </>
)
