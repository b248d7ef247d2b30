/** One part of a class list; whatever is falsy is left out. */
type ClassPart = string | false | null | undefined

/** Joins class names, leaving out the parts whose condition does not hold. */
export function cn(...parts: ClassPart[]): string {
  return parts.filter(Boolean).join(' ')
}
