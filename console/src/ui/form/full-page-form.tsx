import { CircleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import type { FieldValues, SubmitHandler } from 'react-hook-form'

import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import { FormElement, useDraft, type FormShellProps } from '~/ui/form/form-shell'
import { onDemand } from '~/ui/on-demand'

/** A navigation away from unsaved changes that waits for an answer; the router's blocker gives it. */
export interface LeaveGuard {
  /** A navigation is waiting. */
  isBlocked: boolean
  /** Stays on the page and drops the navigation. */
  stay: () => void
  /** Lets the navigation happen. */
  leave: () => void
}

/** Properties of {@link FullPageForm}. */
export interface FullPageFormProps<V extends FieldValues> extends FormShellProps<V> {
  submitLabel: string
  onSubmit: SubmitHandler<V>
  onCancel: () => void
  guard: LeaveGuard
  /** Puts the bar with the buttons where the page keeps such bars. */
  renderActions: (actions: ReactNode) => ReactNode
}

const LeaveDialog = onDemand(async () => (await import('./leave-dialog')).LeaveDialog)

/** Form that fills the page, with its buttons in the bar that the page keeps at the bottom. */
export function FullPageForm<V extends FieldValues>(props: FullPageFormProps<V>) {
  const { form, submitLabel, onSubmit, onCancel, loading, submitError, guard, children } = props
  const { draft, discard } = useDraft(props.needs, props.draftOf)
  const id = useId()
  const leave = () => {
    discard()
    guard.leave()
  }
  return (
    <>
      <FormElement
        {...{ id, form, onSubmit, loading, submitError }}
        submitDisabledReason={props.submitDisabledReason}
        needs={props.needs}
        calls={props.calls}
        marksTakenName={false}
        draft={draft}
      >
        {children}
      </FormElement>
      {props.renderActions(
        <div className="flex min-h-16 items-center gap-2 py-3">
          <Button
            type="submit"
            form={id}
            loading={loading}
            needs={props.needs}
            disabledReason={props.submitDisabledReason}
          >
            {submitLabel}
          </Button>
          <Button
            needs={null}
            variant="ghost"
            onHoverStart={LeaveDialog.preload}
            onFocus={LeaveDialog.preload}
            onPress={onCancel}
          >
            {common.cancelLabel}
          </Button>
          <div aria-live="assertive" className="ml-2 min-w-0 text-sm text-danger-text">
            {submitError && (
              <span className="flex items-center gap-1.5">
                <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
                {submitError.message}
              </span>
            )}
          </div>
        </div>,
      )}
      {guard.isBlocked && (
        <LeaveDialog onStay={guard.stay} onLeave={leave} onMissing={guard.stay} />
      )}
    </>
  )
}
