/** What is wrong with a value that was entered. */

export const subscriptionRequiredError = 'Subscription is required'
export const probeSubscriptionError = 'Probes are sent only on request and cannot be subscribed to'
export const subscriptionFormError =
  'Must be segments of letters, digits and underscores, or * or **, separated by dots'
export const noSuchClassError =
  'No such alert class. Select one from the list, or use a pattern with * or **'
export const icmpTypeError = 'ICMP type must be a number between 0 and 255'
export const icmpCodeFormError = 'ICMP code must be a number or numeric range'
export const icmpCodeError = 'ICMP code must be between 0 and 255'
export const icmpCodeStartError = 'ICMP code range start must be between 0 and 255'
export const icmpCodeEndError = 'ICMP code range end must be between 0 and 255'
export const icmpCodeOrderError = 'ICMP code range start must be less than or equal to range end'
export const ipAddressError = 'Not a valid IP address'
export const ipNetError = 'Must contain an IP address and a width, separated by a /'
export const ipNetWidthError = 'Width must be an integer'
export const oneTimeCodeError = 'Enter the six-digit code from the app'
export const portRangeError = 'Not a valid port range'
export const uniqueItemsError = 'Items must be unique'
export const nameCharactersError = 'Can only contain lower-case letters, numbers, and dashes'
export const nameStartError = 'Must start with a lower-case letter'
export const nameEndError = 'Must end with a letter or number'
export const nameUuidError = 'Must not be in the form of a UUID'

export const requiredError = (field: string) => `${field} is required`

export const tooLongError = (characters: number) => `Must be ${characters} characters or fewer`

export const descriptionTooLongError = (characters: number) =>
  `A description must be no longer than ${characters} characters`

export const passwordTooShortError = (characters: number) =>
  `Must be at least ${characters} characters, for example four or more words`

export const passwordTooLongError = (bytes: number) => `Must be ${bytes} bytes or fewer`

export const ipNetMaxWidthError = (version: string, width: number) =>
  `Max width for ${version} is ${width}`

/** Names of the ICMP types that people filter by (IANA, "ICMP Type Numbers"). */
export const icmpTypeLabel: Record<number, string> = {
  0: 'Echo Reply',
  3: 'Destination Unreachable',
  5: 'Redirect Message',
  8: 'Echo Request',
  9: 'Router Advertisement',
  10: 'Router Solicitation',
  11: 'Time Exceeded',
  12: 'Parameter Problem',
  13: 'Timestamp Request',
  14: 'Timestamp Reply',
}

export const otherIcmpTypeLabel = (type: number) => `Type ${type}`
