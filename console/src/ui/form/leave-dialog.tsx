import * as text from '~/messages/forms'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'

interface LeaveDialogProps {
  onStay: () => void
  onLeave: () => void
}

/** Asks before a page with unsaved changes is left. */
export function LeaveDialog({ onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog
      title={text.leaveTitle}
      role="alertdialog"
      width="narrow"
      isOpen
      onDismiss={onStay}
      footer={
        <>
          <Button needs={null} variant="secondary" size="sm" autoFocus onPress={onStay}>
            {text.continueEditingLabel}
          </Button>
          <Button needs={null} variant="danger" size="sm" onPress={onLeave}>
            {text.leavePageLabel}
          </Button>
        </>
      }
    >
      {text.leavePageQuestion}
    </Dialog>
  )
}
