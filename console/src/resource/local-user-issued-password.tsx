import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { Dialog } from '~/ui/dialog'
import { Message } from '~/ui/message'

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
        <Button size="sm" onPress={onDismiss}>
          Done
        </Button>
      }
    >
      <div className="space-y-4">
        <p>
          <b className="font-medium text-fg">{user}</b> signs in with this password:
        </p>
        <div className="flex items-center justify-between gap-2 rounded-sm border border-line-strong bg-sunken py-2 pr-2 pl-3">
          <code className="font-mono text-base break-all text-fg select-all">{password}</code>
          <CopyButton value={password} label="Copy password" />
        </div>
        <Message tone="notice">
          Copy it now: it is not kept in readable form and cannot be shown again. If it gets lost,
          set a new one.
        </Message>
      </div>
    </Dialog>
  )
}
