/** Scrolls a list of tabs that is too long for its room sideways until a tab is in sight; the page stays put. */
export function revealTab(list: HTMLElement, index: number): void {
  const tab = list.querySelectorAll('[role=tab]')[index]
  if (!tab) return
  const inner = tab.getBoundingClientRect()
  const outer = list.getBoundingClientRect()
  if (inner.left < outer.left) list.scrollLeft += inner.left - outer.left
  else if (inner.right > outer.right) list.scrollLeft += inner.right - outer.right
}
