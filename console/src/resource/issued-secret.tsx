import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { Dialog } from '~/ui/dialog'
import { Message } from '~/ui/message'

interface IssuedSecretProps {
  /** Name of the receiver. */
  receiver: string
  secret: string
  onDismiss: () => void
}

/** Shows a secret that was given to a receiver, this once. */
export function IssuedSecret({ receiver, secret, onDismiss }: IssuedSecretProps) {
  return (
    <Dialog
      title="New secret"
      isOpen
      onDismiss={onDismiss}
      footer={
        <Button size="sm" onPress={onDismiss}>
          Done
        </Button>
      }
    >
      <div className="space-y-4">
        <p>
          Requests to <b className="font-medium text-fg">{receiver}</b> are signed with this secret:
        </p>
        <div className="flex items-center justify-between gap-2 rounded-sm border border-line-strong bg-sunken py-2 pr-2 pl-3">
          <code className="font-mono text-sm break-all text-fg select-all">{secret}</code>
          <CopyButton value={secret} label="Copy secret" />
        </div>
        <Message tone="notice">
          Copy it now, to where requests are received and checked: it cannot be shown again. If it
          gets lost, add another secret and delete this one.
        </Message>
      </div>
    </Dialog>
  )
}
