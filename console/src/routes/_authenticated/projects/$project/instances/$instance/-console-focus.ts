/** Whether a console may take the focus, because nothing has it except the button that opened the connection. */
export function isIdle(page: HTMLElement | null): boolean {
  const { activeElement } = document
  if (!activeElement || activeElement === document.body || activeElement.id === 'content')
    return true
  return activeElement instanceof HTMLButtonElement && page?.contains(activeElement) === true
}
