/** Longest name of a resource, in characters. */
export const MAX_NAME_LENGTH = 63

const SUFFIX_DIGITS = 6

/**
 * Makes a name of at most 63 characters from parts: each part is cut so that all get the same room, they are joined
 * by hyphens, and six random hexadecimal digits follow.
 *
 * @param parts one or more non-empty names, which must be valid resource names.
 */
export function generateName(...parts: [string, ...string[]]): string {
  const room = roomPerPart(parts.length)
  const stem = parts.map((part) => part.slice(0, room)).join('-')
  return `${stem}-${randomHexDigits(SUFFIX_DIGITS)}`
}

/** Characters left for each of `count` parts beside the hyphens and the suffix. */
function roomPerPart(count: number): number {
  return Math.floor(MAX_NAME_LENGTH / count) - Math.ceil(SUFFIX_DIGITS / count) - 1
}

function randomHexDigits(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(count / 2)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, count)
}
