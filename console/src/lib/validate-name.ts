import { MAX_NAME_LENGTH } from './generate-name'
import { isUuid } from './uuid'

/** Longest description, in characters. */
export const MAX_DESCRIPTION_LENGTH = 512

/**
 * Checks the name of a resource as it is typed, without trimming.
 *
 * @param label what the field is called, for the message about an empty required name.
 * @param required whether an empty name is an error.
 * @returns the message of the first broken rule.
 */
export function validateName(name: string, label = 'Name', required = true): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return `Must be ${MAX_NAME_LENGTH} characters or fewer`
  if (name === '') return required ? `${label} is required` : undefined
  if (!/^[a-z0-9-]+$/.test(name)) return 'Can only contain lower-case letters, numbers, and dashes'
  if (!/^[a-z]/.test(name)) return 'Must start with a lower-case letter'
  if (!/[a-z0-9]$/.test(name)) return 'Must end with a letter or number'
  // The server refuses a name that could be taken for an id; saying it here saves a round trip.
  if (isUuid(name)) return 'Must not be in the form of a UUID'
  return undefined
}

/** Checks a description's length. An empty one is allowed. */
export function validateDescription(description: string): string | undefined {
  return description.length > MAX_DESCRIPTION_LENGTH
    ? `A description must be no longer than ${MAX_DESCRIPTION_LENGTH} characters`
    : undefined
}
