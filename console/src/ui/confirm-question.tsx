import { useState } from 'react'

import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import type { ConfirmOptions, DialogOptions } from '~/ui/confirm'
import { Dialog } from '~/ui/dialog'
import { toastFailure } from '~/ui/failure-toast'

type ConfirmQuestionProps = ConfirmOptions & { onDone: () => void }

/** The dialog of one question, one with something to read, or another. */
export function ConfirmQuestion(
  props: ConfirmQuestionProps | (DialogOptions & { onDone: () => void }),
) {
  if ('dialog' in props) return props.dialog(props.onDone)
  if (props.action) return <Question {...props} />
  return (
    <Dialog
      title={props.title}
      width="free"
      isOpen
      onDismiss={props.onDone}
      closeLabel={common.closeLabel}
    >
      {props.body}
    </Dialog>
  )
}

function Question({
  title,
  body,
  tone,
  action,
  errorTitle,
  confirmLabel,
  onDone,
}: Extract<ConfirmQuestionProps, { tone: string }>) {
  const [isRunning, setRunning] = useState(false)

  const dismiss = () => {
    // Once the action runs there is nothing left to cancel.
    if (!isRunning) onDone()
  }

  const run = async () => {
    setRunning(true)
    try {
      await action()
    } catch (failure) {
      await toastFailure(failure, errorTitle)
    } finally {
      onDone()
    }
  }

  return (
    <Dialog
      title={title}
      role="alertdialog"
      width="narrow"
      isOpen
      onDismiss={dismiss}
      footer={
        <>
          <Button needs={null} variant="secondary" size="sm" onPress={dismiss}>
            {common.cancelLabel}
          </Button>
          <Button
            needs={null}
            autoFocus
            variant={tone === 'danger' ? 'danger' : 'primary'}
            size="sm"
            loading={isRunning}
            onPress={run}
          >
            {confirmLabel ?? common.confirmLabel}
          </Button>
        </>
      }
    >
      <div className="space-y-2 [&_b]:font-medium [&_b]:text-fg">{body}</div>
    </Dialog>
  )
}
