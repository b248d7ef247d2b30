/** Where all tabs find when somebody last signed out, in milliseconds of the epoch: what was kept before that is not shown again. */
export const SIGNED_OUT_KEY = 'croft-signed-out'

/** Where a tab keeps that somebody was signed in and has not signed out: a login screen then means that the session has ended. */
export const SIGNED_IN_KEY = 'croft-signed-in'
