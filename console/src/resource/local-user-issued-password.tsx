import * as common from '~/messages/common'
import * as text from '~/messages/local-user'
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

/** Shows a generated password, once. */
export function IssuedPassword({ user, password, onDismiss }: IssuedPasswordProps) {
  return (
    <Dialog
      title={text.newPasswordTitle}
      isOpen
      onDismiss={onDismiss}
      footer={
        <Button needs={null} size="sm" onPress={onDismiss}>
          {common.doneLabel}
        </Button>
      }
    >
      <div className="space-y-4">
        <p>{text.passwordText(<b className="font-medium text-fg">{user}</b>)}</p>
        <SecretBox value={password} copyLabel={text.copyPasswordLabel} />
        <Message tone="notice">{text.copyPasswordHelp}</Message>
      </div>
    </Dialog>
  )
}
