import * as text from '~/messages/local-user'
import { SecretDialog } from '~/ui/secret-dialog'

interface IssuedPasswordProps {
  /** Name of the user. */
  user: string
  password: string
  onDismiss: () => void
}

/** Shows a generated password, once. */
export const IssuedPassword = ({ user, password, onDismiss }: IssuedPasswordProps) => (
  <SecretDialog
    title={text.newPasswordTitle}
    intro={text.passwordText(<b className="font-medium text-fg">{user}</b>)}
    secret={password}
    copyLabel={text.copyPasswordLabel}
    help={text.copyPasswordHelp}
    onDismiss={onDismiss}
  />
)
