/** Milliseconds before which an estimate would be a guess. */
const SETTLES = 2000

/**
 * Minutes until something is done, if the rest goes as fast as what is done already.
 *
 * @param elapsed milliseconds for what is done.
 * @returns whole minutes, 0 for less than one; `undefined` as long as too little is done to tell.
 */
export function minutesLeft(elapsed: number, done: number, total: number): number | undefined {
  if (done <= 0 || elapsed < SETTLES) return undefined
  return Math.round((elapsed * (total - done)) / done / 60_000)
}
