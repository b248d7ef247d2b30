import * as text from '~/messages/alert'
import { SecretDialog } from '~/ui/secret-dialog'

interface IssuedSecretProps {
  /** Name of the receiver. */
  receiver: string
  secret: string
  onDismiss: () => void
}

/** Shows a new secret of a receiver, once. */
export const IssuedSecret = ({ receiver, ...shown }: IssuedSecretProps) => (
  <SecretDialog
    {...shown}
    title={text.newSecretTitle}
    intro={text.secretText(<b className="font-medium text-fg">{receiver}</b>)}
    copyLabel={text.copySecretLabel}
    help={text.copySecretHelp}
  />
)
