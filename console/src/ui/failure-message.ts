import * as text from '~/messages/errors'

/** API errors and exceptions alike carry a message for people. */
export function failureMessage(failure: unknown): string {
  if (typeof failure === 'object' && failure !== null && 'message' in failure) {
    const { message } = failure
    if (typeof message === 'string' && message !== '') return message
  }
  return text.unknownError
}
