import { useSyncExternalStore } from 'react'

/**
 * Something that depends on the width of the window. The component renders again when it becomes another, and not with each pixel.
 *
 * @param select reads it.
 */
export const useWindowWidth = <T extends string | number | boolean>(select: () => T): T =>
  useSyncExternalStore(onResize, select)

function onResize(listener: () => void) {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}
