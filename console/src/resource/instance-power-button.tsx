import type { Action } from '~/app/action-registry'
import { Button } from '~/ui/button'
import type { ButtonLook } from '~/ui/button-class'

/** The button of an action such as start and stop. */
export function PowerButton({
  action: { label, icon: Icon, needs, disabledReason, perform },
  ...look
}: ButtonLook & { action: Action }) {
  return (
    <Button {...look} needs={needs ?? null} disabledReason={disabledReason} onPress={perform}>
      {Icon && <Icon aria-hidden="true" />}
      {label}
    </Button>
  )
}
