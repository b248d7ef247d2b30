import { ApiError } from '~/api/errors'

/** What the server said against something; in other cases what stands in for it. */
export const describeRefusal = (otherwise: string) => (failure: unknown) =>
  failure instanceof ApiError ? failure.message : otherwise
