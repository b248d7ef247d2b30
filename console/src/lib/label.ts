import * as text from '~/messages/validation'

/** Longest label, in characters. */
const MAX_LENGTH = 63

/** What is wrong with a label that a person gave, or `undefined`. */
export const labelProblem = (label: string): string | undefined =>
  [...label].length > MAX_LENGTH ? text.tooLongError(MAX_LENGTH) : undefined
