/** Letters of a device code: one box each. */
export const DEVICE_CODE_LENGTH = 8

/** Letters before the dash, on the screen and in what is sent (`docs/rules/console/shell-and-account.md#device-authorization`). */
export const DEVICE_CODE_DASH = 3

/** The boxes of a code, each empty or one upper-case letter. */
export type CodeBoxes = readonly string[]

/** Boxes before anything was entered. */
export const emptyBoxes: CodeBoxes = Array.from({ length: DEVICE_CODE_LENGTH }, () => '')

/** The letters in a text, upper case; everything else is dropped. */
export const lettersOf = (text: string): string[] => [
  ...text.replaceAll(/[^a-z]/gi, '').toUpperCase(),
]

/** Boxes with a text's letters in them: a whole code takes the place of what was there, a part goes to the empty boxes. */
export function fillBoxes(boxes: CodeBoxes, text: string): CodeBoxes {
  const letters = lettersOf(text)
  if (letters.length >= DEVICE_CODE_LENGTH) return letters.slice(0, DEVICE_CODE_LENGTH)
  return boxes.map((box) => box || letters.shift() || '')
}

/** Boxes with one of them changed. */
export const withBox = (boxes: CodeBoxes, index: number, letter: string): CodeBoxes =>
  boxes.with(index, letter)

export const isComplete = (boxes: CodeBoxes): boolean => boxes.every(Boolean)

/** The code as devices show it and the server is told: `ABC-DEFGH`. */
export function dashedCode(boxes: CodeBoxes): string {
  const code = boxes.join('')
  return `${code.slice(0, DEVICE_CODE_DASH)}-${code.slice(DEVICE_CODE_DASH)}`
}

/**
 * What an edit of one box means. A box holds one letter, so a second one in its value was typed, and more than two came from a keyboard
 * or password manager that fills in whole words.
 *
 * @returns the new content of the box, a text to spread over the boxes, or nothing when the edit is to be dropped.
 */
export function readEdit(
  before: string,
  value: string,
): { type: 'box'; letter: string } | { type: 'text'; text: string } | null {
  const letters = lettersOf(value)
  if (letters.length === 0) return value === '' ? { type: 'box', letter: '' } : null
  if (letters.length > 2) return { type: 'text', text: value }
  const typed = letters.length === 2 && letters[0] === before ? letters[1] : letters[0]
  return { type: 'box', letter: typed ?? '' }
}
