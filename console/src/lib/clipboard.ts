/**
 * Puts a text on the clipboard.
 *
 * Servers on a private network are often reached without TLS, where browsers hide the asynchronous clipboard; there
 * the older command does it through a field that nobody sees.
 *
 * @throws Error when the browser refuses both ways.
 */
export async function copyText(text: string): Promise<void> {
  // The DOM types promise a clipboard that insecure contexts do not have.
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard) return clipboard.writeText(text)
  copyThroughField(text)
}

function copyThroughField(text: string): void {
  const active = document.activeElement
  // A modal dialog contains the focus: a field outside it could not be selected.
  const host = active?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  host.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (active instanceof HTMLElement) active.focus()
  if (!copied) throw new Error('the browser refused to copy')
}
