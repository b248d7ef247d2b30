/** How many of several calls are under way at the same time. */
export const AT_ONCE = 6

/** What became of one of several. */
export interface Result<T> {
  item: T
  /** What it was rejected with; absent after success. */
  failure?: { error: unknown }
}

/**
 * Runs the same for several items, in their order, at most {@link AT_ONCE} of them at the same time. After the signal aborts, none is started;
 * those that run are waited for.
 *
 * @param onSettled is told of each as soon as it has ended.
 * @returns what became of those that were started.
 */
export async function runSeveral<T>(
  items: readonly T[],
  run: (item: T) => Promise<unknown>,
  { signal, onSettled }: { signal: AbortSignal; onSettled: (result: Result<T>) => void },
): Promise<Result<T>[]> {
  const waiting = [...items]
  const results: Result<T>[] = []
  const work = async () => {
    while (!signal.aborted) {
      const [item] = waiting.splice(0, 1)
      if (item === undefined) return
      // oxlint-disable-next-line no-await-in-loop -- the next one begins when this one has ended
      const result = await run(item).then(
        (): Result<T> => ({ item }),
        (error: unknown): Result<T> => ({ item, failure: { error } }),
      )
      results.push(result)
      onSettled(result)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}
