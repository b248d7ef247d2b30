/** Milliseconds in which changes that belong together gather before they count. */
const SETTLE = 25

/** Milliseconds between two batches; each one in a row that is large doubles it. */
const GAP = 150
const GAP_AT_MOST = 1_200
/** A batch of more changes than one person makes. */
const LARGE = 20

/** Milliseconds between two looks at whether the batch is held up still. */
const HOLD_STEP = 50
/** Milliseconds for which a batch may be held up. */
const HOLD_AT_MOST = 2_000

/**
 * Gathers what comes in bursts. What comes alone is handed on nearly at once; while a lot keeps coming, the distances grow, so that a busy
 * system does not make every screen ask without pause.
 *
 * @param isHeld whether it would be wrong to hand anything on just now.
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
    /** Forgets what has gathered. */
    clear() {
      clearTimeout(timer)
      timer = undefined
      items = []
    },
  }
}
