import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { Message } from '~/ui/message'
import { SecretBox } from '~/ui/secret-box'

interface IssuedPasswordProps {
  /** Name of the user. */
  user: string
  password: string
  onDismiss: () => void
}

/** Shows a generated password, this once. */
export function IssuedPassword({ user, password, onDismiss }: IssuedPasswordProps) {
  return (
    <Dialog
      title="New password"
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
          <b className="font-medium text-fg">{user}</b> signs in with this password:
        </p>
        <SecretBox value={password} copyLabel="Copy password" />
        <Message tone="notice">
          Copy it now. It cannot be shown again. If you lose it, set a new one.
        </Message>
      </div>
    </Dialog>
  )
}
