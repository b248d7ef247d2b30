import type { ReactNode } from 'react'

import * as common from '~/messages/common'
import { Dialog } from '~/ui/dialog'
import { Message } from '~/ui/message'
import { SecretBox } from '~/ui/secret-box'

interface SecretDialogProps {
  title: string
  /** Says what the secret is for. */
  intro: ReactNode
  secret: string
  copyLabel: string
  /** Says that the secret is not shown again. */
  help: string
  onDismiss: () => void
}

/** Shows a new secret, once. */
export function SecretDialog({
  title,
  intro,
  secret,
  copyLabel,
  help,
  onDismiss,
}: SecretDialogProps) {
  return (
    <Dialog title={title} isOpen onDismiss={onDismiss} closeLabel={common.doneLabel}>
      <div className="space-y-4">
        <p>{intro}</p>
        <SecretBox value={secret} copyLabel={copyLabel} />
        <Message tone="notice">{help}</Message>
      </div>
    </Dialog>
  )
}
