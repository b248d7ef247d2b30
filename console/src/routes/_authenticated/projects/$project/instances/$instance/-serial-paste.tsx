import { formatInteger } from '~/lib/numbers'
import * as text from '~/messages/serial-console-screens'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** Most lines that the question shows, and most characters of each. */
const SHOWN_LINES = 8
const SHOWN_CHARACTERS = 200

/** The lines of a text that is pasted. The end of the last one begins no other. */
const linesOf = (pasted: string) => pasted.replace(/\r?\n$/, '').split(/\r\n|\r|\n/)

/** Pastes several lines after a question that shows them. One line needs no question: the answer is then `false`. */
export function confirmPaste(pasted: string, paste: (pasted: string) => void): boolean {
  const lines = linesOf(pasted)
  if (lines.length < 2) return false
  confirm({
    title: text.pasteTitle(formatInteger(lines.length)),
    body: <PastedLines lines={lines} />,
    tone: 'primary',
    confirmLabel: text.pasteAllLabel,
    errorTitle: text.pasteErrorTitle,
    action: async () => paste(pasted),
  })
  return true
}

function PastedLines({ lines }: { lines: readonly string[] }) {
  const hidden = lines.length - SHOWN_LINES
  return (
    <>
      <p>{text.pasteQuestion}</p>
      <pre className="overflow-hidden rounded-sm border border-line bg-sunken p-2 font-mono text-xs leading-5 text-fg">
        {lines.slice(0, SHOWN_LINES).map((line, index) => (
          <span key={index} className="block min-h-5 truncate">
            {line.slice(0, SHOWN_CHARACTERS)}
          </span>
        ))}
      </pre>
      {hidden > 0 && <p>{text.morePastedText(hidden)}</p>}
    </>
  )
}

/** Pastes what is on the clipboard, asking first if it has several lines. */
export async function pasteClipboard(paste: (pasted: string) => void): Promise<void> {
  let pasted: string
  try {
    pasted = await navigator.clipboard.readText()
  } catch {
    // Without TLS there is no clipboard to read, and people may refuse.
    toast({ variant: 'error', title: text.clipboardErrorTitle, content: text.clipboardError })
    return
  }
  if (pasted !== '' && !confirmPaste(pasted, paste)) paste(pasted)
}
