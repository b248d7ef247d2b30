import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react'

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

/** Width in pixels of an element without its borders. It is measured before the element is painted. */
export function useElementWidth(ref: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    setWidth(element.clientWidth)
    // Documents without layout, as in unit tests, have no observer and no widths either.
    if (typeof ResizeObserver === 'undefined') return undefined
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
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
