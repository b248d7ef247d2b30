import type { ApiError } from '~/api/errors'

/** Whether the server wants the person to sign in again before it changes how the person signs in. */
export const requiresRecentSignIn = (error: ApiError): boolean => error.errorCode === 'SignInAgain'
