/** Milliseconds for which changes are collected into one batch. */
const SETTLE = 25

/** Milliseconds between two batches. Each consecutive large batch doubles it. */
const GAP = 150
const GAP_AT_MOST = 1_200
/** The number of changes from which a batch is large. */
const LARGE = 20

/** Milliseconds between two checks whether a held batch can be delivered. */
const HOLD_STEP = 50
/** Milliseconds for which a batch is held at most. */
const HOLD_AT_MOST = 2_000

/**
 * Delivers items in batches. A single item is delivered almost at once. While there are many, the pauses between batches grow, so that a
 * busy system does not make every screen refetch all the time.
 *
 * @param isHeld whether delivery has to wait.
 */
export function batches<Item>(handOn: (items: Item[]) => void, isHeld: () => boolean) {
  let items: Item[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let gap = GAP
  let lastAt = Number.NEGATIVE_INFINITY

  const flush = (heldFor: number) => {
    if (isHeld() && heldFor < HOLD_AT_MOST) {
      timer = setTimeout(() => flush(heldFor + HOLD_STEP), HOLD_STEP)
      return
    }
    timer = undefined
    lastAt = performance.now()
    gap = items.length > LARGE ? Math.min(2 * gap, GAP_AT_MOST) : GAP
    const taken = items
    items = []
    handOn(taken)
  }

  return {
    add(more: readonly Item[]) {
      items.push(...more)
      timer ??= setTimeout(() => flush(0), Math.max(SETTLE, lastAt + gap - performance.now()))
    },
    /** Drops the collected changes. */
    clear() {
      clearTimeout(timer)
      timer = undefined
      items = []
    },
  }
}
