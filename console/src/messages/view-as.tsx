/** Texts about views of Croft as another user. */

export const viewAsLabel = 'View as'
export const viewAsTitle = (name: string) => `View Croft as ${name}`
export const viewAsQuestion = (name: string) => (
  <>
    You see what <b>{name}</b> sees. Nothing can be changed until you stop. The view ends after an
    hour, and the audit log has an entry of it.
  </>
)
export const beginLabel = 'View'
export const beginErrorTitle = 'Could not view as the user'
export const ownUserError = 'You see Croft as yourself.'
export const otherSiloError = 'You can view as users of your own silo only.'

export const viewLabel = 'View as another user'
export const viewText = (name: string, time: string) => (
  <>
    You see Croft as <b>{name}</b>. Nothing can be changed. Ends at {time}.
  </>
)
export const stopLabel = 'Stop viewing'
export const stopViewingAsLabel = (name: string) => `Stop viewing as ${name}`
export const stopErrorTitle = 'Could not stop viewing'
export const stoppedToast = 'You see Croft as yourself again.'
export const changeError = (name: string) =>
  `You see Croft as ${name}. Stop viewing to change something.`
