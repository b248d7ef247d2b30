import * as text from '~/messages/validation'

/**
 * @param keyOf what makes two items the same; the item itself unless given.
 * @returns the message for a list with a repeated item.
 */
export function validateUniqueItems<T>(
  items: readonly T[],
  keyOf: (item: T) => unknown = (item) => item,
): string | undefined {
  return new Set(items.map(keyOf)).size === items.length ? undefined : text.uniqueItemsError
}
