import { ApiError, withoutLabel } from '~/api/errors'

/** What the server said against something; in other cases what stands in for it. */
export const describeRefusal = (otherwise: string) => (failure: unknown) =>
  failure instanceof ApiError ? withoutLabel(failure.message) : otherwise
