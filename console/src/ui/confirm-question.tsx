import { useCallback, useState } from 'react'

import type { Call } from '~/as-code/call'
import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import type { ConfirmOptions, DialogOptions } from '~/ui/confirm'
import { Dialog } from '~/ui/dialog'
import { toastFailure } from '~/ui/failure-toast'
import { AsCode } from '~/ui/form/calls-as-code'

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
  calls,
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
      {calls && <CallsAsCode calls={calls} />}
    </Dialog>
  )
}

const NO_VALUES = {}

function CallsAsCode({ calls }: { calls: readonly Call[] }) {
  return (
    <div className="mt-3">
      <AsCode values={NO_VALUES} calls={useCallback(() => calls, [calls])} />
    </div>
  )
}
