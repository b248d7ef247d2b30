/** A screen's heading, by which screens are told apart: tabs and forms over a list leave it as it is. */
export interface ScreenHeading {
  element: HTMLElement
  text: string
}

/** The heading of the screen shown, if it has one. */
export function mainHeading(): ScreenHeading | null {
  const element = document.querySelector<HTMLElement>('main h1')
  return element && { element, text: element.textContent }
}

const isDialogOpen = () => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null

const isFocusLost = () =>
  document.activeElement === null || document.activeElement === document.body

/** Focuses an element that is not in the tab order, without scrolling. */
function focusPassive(element: HTMLElement) {
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/**
 * After a navigation: puts the focus on the heading of a new screen, so that reading and the next Tab start there, whatever was pressed to get
 * to it. A dialog has its own focus, a field that asked for it keeps it, and on the same screen it stays where it is unless its element is gone.
 *
 * @param before the heading before the navigation.
 */
export function focusNewScreen(before: ScreenHeading | null): void {
  if (isDialogOpen()) return
  const heading = mainHeading()
  const target = heading?.element ?? document.getElementById('content')
  if (!target) return
  const isSame =
    heading !== null && heading.element === before?.element && heading.text === before.text
  if (!isSame) {
    const hasOwnFocus = document.activeElement?.closest('main')
    if (!hasOwnFocus) focusPassive(target)
    return
  }
  // A closing dialog gives the focus back to what opened it, one frame later.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (isFocusLost() && !isDialogOpen()) focusPassive(target)
    }),
  )
}
