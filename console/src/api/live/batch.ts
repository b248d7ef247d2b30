/** Milliseconds in which one more batch becomes possible. Each consecutive large batch doubles it. */
const GAP = 150
const GAP_AT_MOST = 1_200
/** The number of batches that can follow each other at once. */
const BURST = 3
/** The number of changes from which a batch is large. */
const LARGE = 20

/** Milliseconds between two checks whether a held batch can be delivered. */
const HOLD_STEP = 50
/** Milliseconds for which a batch is held at most. */
const HOLD_AT_MOST = 2_000

/**
 * Delivers items in batches: what comes after a quiet time at once, with all that comes in the same moment. While more keeps coming, batches
 * are spread in time, and more so while they are large, so that a busy system does not make every screen refetch all the time.
 *
 * @param isHeld whether delivery has to wait.
 */
export function batches<Item>(handOn: (items: Item[]) => void, isHeld: () => boolean) {
  let items: Item[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let gap = GAP
  /** The batches that can be delivered at once, as of a time. A part of one is the time already waited for it. */
  let tokens = BURST
  let countedAt = performance.now()

  const countTokens = () => {
    const now = performance.now()
    tokens = Math.min(BURST, tokens + (now - countedAt) / gap)
    countedAt = now
  }

  const flush = (heldFor: number) => {
    if (isHeld() && heldFor < HOLD_AT_MOST) {
      timer = setTimeout(() => flush(heldFor + HOLD_STEP), HOLD_STEP)
      return
    }
    timer = undefined
    countTokens()
    const isLarge = items.length > LARGE
    tokens = isLarge ? 0 : Math.max(0, tokens - 1)
    gap = isLarge ? Math.min(2 * gap, GAP_AT_MOST) : GAP
    const taken = items
    items = []
    handOn(taken)
  }

  return {
    add(more: readonly Item[]) {
      items.push(...more)
      if (timer !== undefined) return
      countTokens()
      timer = setTimeout(() => flush(0), Math.max(0, (1 - tokens) * gap))
    },
    /** Drops the collected changes. */
    clear() {
      clearTimeout(timer)
      timer = undefined
      items = []
    },
  }
}
