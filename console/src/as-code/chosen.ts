/**
 * A value that the calls of a form need.
 *
 * @throws Error if it is not chosen yet. The form says then that something is missing.
 */
export function chosen<Value>(value: Value | null | undefined | ''): Value {
  if (value === null || value === undefined || value === '') {
    throw new Error('something is not chosen yet')
  }
  return value
}
