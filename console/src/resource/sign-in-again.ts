import type { ApiError } from '~/api/errors'

/** Whether the server requires the person to sign in again before it changes how they sign in. */
export const requiresRecentSignIn = (error: ApiError): boolean => error.errorCode === 'SignInAgain'
