import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'

import { copyText } from '~/lib/clipboard'
import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'

const CONFIRMATION_MS = 2000

interface CommandDialogProps {
  title: string
  /** Text of the button that copies. */
  copyLabel: string
  /** The command and its options, a line each; what is copied is one line. */
  parts: readonly string[]
  onDismiss: () => void
}

/** A command to run in a terminal, to read and to copy. */
export function CommandDialog({ title, copyLabel, parts, onDismiss }: CommandDialogProps) {
  const [copies, setCopies] = useState(0)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (copies === 0) return undefined
    setCopied(true)
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [copies])
  const copy = async () => {
    await copyText(parts.join(' '))
    setCopies((count) => count + 1)
  }
  return (
    <Dialog
      title={title}
      width="free"
      isOpen
      onDismiss={onDismiss}
      footer={
        <>
          <Button needs={null} variant="secondary" size="sm" onPress={onDismiss}>
            {common.cancelLabel}
          </Button>
          <Button needs={null} size="sm" autoFocus onPress={() => void copy()}>
            {copyLabel}
            {isCopied && <Check role="img" aria-label={common.copiedLabel} />}
          </Button>
        </>
      }
    >
      <pre className="overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2.5 font-mono text-sm">
        <span aria-hidden="true" className="mr-2 text-fg-subtle select-none">
          $
        </span>
        {parts.join(' \\\n    ')}
      </pre>
    </Dialog>
  )
}
