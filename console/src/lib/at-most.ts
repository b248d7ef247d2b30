/**
 * Runs what it is given, at most so many at the same time. The others wait in their order.
 *
 * @returns what runs a task and answers as the task does. A task whose signal has aborted before its turn is not started.
 */
export function atMost(count: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (running >= count) await new Promise<void>((turn) => waiting.push(turn))
    else running += 1
    try {
      signal?.throwIfAborted()
      return await task()
    } finally {
      const next = waiting.shift()
      // The place goes to the next one.
      if (next) next()
      else running -= 1
    }
  }
}
