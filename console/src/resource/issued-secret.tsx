import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { Message } from '~/ui/message'
import { SecretBox } from '~/ui/secret-box'

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
        <Button needs={null} size="sm" onPress={onDismiss}>
          Done
        </Button>
      }
    >
      <div className="space-y-4">
        <p>
          Requests to <b className="font-medium text-fg">{receiver}</b> are signed with this secret:
        </p>
        <SecretBox value={secret} copyLabel="Copy secret" />
        <Message tone="notice">
          Copy it to your endpoint now. It cannot be shown again. If you lose it, add another secret
          and delete this one.
        </Message>
      </div>
    </Dialog>
  )
}
