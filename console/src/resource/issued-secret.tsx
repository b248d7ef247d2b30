import * as text from '~/messages/alert'
import * as common from '~/messages/common'
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

/** Shows a new secret of a receiver, once. */
export function IssuedSecret({ receiver, secret, onDismiss }: IssuedSecretProps) {
  return (
    <Dialog
      title={text.newSecretTitle}
      isOpen
      onDismiss={onDismiss}
      footer={
        <Button needs={null} size="sm" onPress={onDismiss}>
          {common.doneLabel}
        </Button>
      }
    >
      <div className="space-y-4">
        <p>{text.secretText(<b className="font-medium text-fg">{receiver}</b>)}</p>
        <SecretBox value={secret} copyLabel={text.copySecretLabel} />
        <Message tone="notice">{text.copySecretHelp}</Message>
      </div>
    </Dialog>
  )
}
