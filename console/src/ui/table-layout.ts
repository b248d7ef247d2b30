import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react'
import { flushSync } from 'react-dom'

/** Width of the row menu's column, in pixels. */
export const ACTIONS_WIDTH = 44
/** Width of the selection column, in pixels. */
export const SELECTION_WIDTH = 36

const SCROLL_SAMPLE_MS = 125

/** Narrower than this, a window is that of a phone. */
const PHONE = '(width < 40rem)'

function onIsPhoneChange(listener: () => void) {
  const end = new AbortController()
  // Documents without layout, as in unit tests, have no media queries.
  globalThis.matchMedia?.(PHONE).addEventListener('change', listener, { signal: end.signal })
  return () => end.abort()
}

const isPhone = () => globalThis.matchMedia?.(PHONE).matches ?? false

/** Whether the window is as narrow as that of a phone, where tables show their rows as cards. */
export const useIsPhone = (): boolean => useSyncExternalStore(onIsPhoneChange, isPhone)

/** Width of both borders of a table's frame, in pixels. */
export const BORDERS = 2

/**
 * Pixels that an element has which is as wide as the content of the pane, as the screen before has it, or the picture of a screen that stands
 * there while the first one loads. That one is laid out already, so that asking costs nothing.
 *
 * @param borders width of the element's borders at both sides.
 */
export function paneRoom(borders: number): number | undefined {
  const main = document.querySelector('main')
  if (!main) return undefined
  const { paddingLeft, paddingRight } = getComputedStyle(main)
  const padding = (Number.parseFloat(paddingLeft) || 0) + (Number.parseFloat(paddingRight) || 0)
  return main.clientWidth - padding - borders
}

/**
 * Width in pixels of an element without its borders. It is right before the element is painted.
 *
 * @param expect the width that it will probably have. Then the page need not be laid out once more only to measure it, and what depends on
 * the width is rendered at once.
 */
export function useElementWidth(
  ref: RefObject<HTMLElement | null>,
  expect: () => number | undefined,
): number | undefined {
  const [width, setWidth] = useState(expect)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    // Documents without layout, as in unit tests, have no observer and no widths either.
    const isObserved = typeof ResizeObserver !== 'undefined'
    let known = isObserved ? width : undefined
    const update = () => {
      known = element.clientWidth
      setWidth(known)
    }
    if (known === undefined) update()
    if (!isObserved) return undefined
    let isFirst = true
    const observer = new ResizeObserver(() => {
      const isUpdate = element.clientWidth !== known
      // The first time, the element has not been painted yet.
      if (isUpdate && isFirst) flushSync(update)
      else if (isUpdate) update()
      isFirst = false
    })
    observer.observe(element)
    return () => observer.disconnect()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what was expected does not matter later
  }, [ref])
  return width
}

/**
 * Shares the room that columns have beyond their base widths in proportion to those. Widths depend on the columns
 * and the container alone, never on the rows, so that they stay while paging and polling.
 *
 * @param bases base widths in pixels.
 * @param room pixels for all of them; 0 when unknown.
 */
export function columnWidths(bases: readonly number[], room: number): number[] {
  const total = bases.reduce((sum, base) => sum + base, 0)
  if (room <= total) return [...bases]
  const widths = bases.map((base) => Math.floor((base * room) / total))
  const used = widths.reduce((sum, width) => sum + width, 0)
  // The pixels lost to rounding go to the last column, or a gap would show at the edge.
  const last = widths.pop() ?? 0
  return [...widths, last + room - used]
}

/** Whether content is hidden beyond the left and right edge of a scroller. */
export interface ScrollEdges {
  start: boolean
  end: boolean
}

/** Watches a horizontal scroller, sampling its position at most every 125 ms. */
export function useScrollEdges(
  ref: RefObject<HTMLElement | null>,
  isScrolling: boolean,
): ScrollEdges {
  const [edges, setEdges] = useState<ScrollEdges>({ start: false, end: false })
  const sample = useCallback(() => {
    const element = ref.current
    if (!element) return
    const start = element.scrollLeft > 0
    const end = element.scrollLeft + element.clientWidth < element.scrollWidth - 1
    setEdges((old) => (old.start === start && old.end === end ? old : { start, end }))
  }, [ref])
  useEffect(() => {
    const element = ref.current
    // Asking a table that shows everything would only lay it out sooner than need be.
    if (!element || !isScrolling) return undefined
    sample()
    let timer: ReturnType<typeof setTimeout> | undefined
    const onScroll = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined
        sample()
      }, SCROLL_SAMPLE_MS)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      element.removeEventListener('scroll', onScroll)
    }
  }, [ref, isScrolling, sample])
  return edges
}
