import * as text from '~/messages/validation'

const SEGMENT = /^([a-zA-Z0-9_]+|\*|\*\*)$/

/** Whether a pattern stands for more than one class. */
export const isGlob = (pattern: string): boolean => pattern.includes('*')

/**
 * Checks the form of a subscription.
 *
 * @param classes names of all classes, which a pattern without stars has to be one of.
 * @returns what is wrong with it.
 */
export function validatePattern(pattern: string, classes: readonly string[]): string | undefined {
  if (!pattern) return text.subscriptionRequiredError
  if (pattern === 'probe') return text.probeSubscriptionError
  if (!pattern.split('.').every((segment) => SEGMENT.test(segment))) {
    return text.subscriptionFormError
  }
  if (!isGlob(pattern) && classes.length > 0 && !classes.includes(pattern)) {
    return text.noSuchClassError
  }
  return undefined
}

/** Whether a subscription covers a class: `*` stands for one segment, `**` for one or more. Probes are covered by none. */
export function matchesPattern(pattern: string, name: string): boolean {
  if (name === 'probe') return false
  const expression = pattern
    .split('.')
    .map((segment) => (segment === '**' ? '.+' : segment === '*' ? '[^.]+' : segment))
    .join('\\.')
  return new RegExp(`^${expression}$`).test(name)
}
