import * as common from '~/messages/common'
import * as text from '~/messages/validation'

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
export function validateName(
  name: string,
  label = common.nameLabel,
  required = true,
): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return text.tooLongError(MAX_NAME_LENGTH)
  if (name === '') return required ? text.requiredError(label) : undefined
  if (!/^[a-z0-9-]+$/.test(name)) return text.nameCharactersError
  if (!/^[a-z]/.test(name)) return text.nameStartError
  if (!/[a-z0-9]$/.test(name)) return text.nameEndError
  // The server refuses a name that could be taken for an id; saying it here saves a round trip.
  if (isUuid(name)) return text.nameUuidError
  return undefined
}

/** Checks a description's length. An empty one is allowed. */
export function validateDescription(description: string): string | undefined {
  return description.length > MAX_DESCRIPTION_LENGTH
    ? text.descriptionTooLongError(MAX_DESCRIPTION_LENGTH)
    : undefined
}
