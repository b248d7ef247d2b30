import { ApiError, withoutLabel } from '~/api/errors'

/** The server's message if there is one, else the given text. */
export const describeRefusal = (otherwise: string) => (failure: unknown) =>
  failure instanceof ApiError ? withoutLabel(failure.message) : otherwise
