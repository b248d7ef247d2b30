import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'

import type { Image } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { onDemand } from '~/ui/on-demand'

import { siloImageActions } from './image-actions'
import type { ImageUse } from './image-actions'

const DemoteDialog = onDemand(async () => (await import('./image-demote-dialog')).ImageDemoteDialog)
const UseDialog = onDemand(async () => (await import('./image-use-dialog')).ImageUseDialog)

/** The dialogs that ask which project an image of the silo goes to, or is used in. */
type OpenDialog = { image: Image; dialog: 'demote' | ImageUse }

/** The actions of the images of the silo, and the dialogs that they open. `leave` leaves the page of an image that is gone from the silo. */
export function useSiloImageActions(leave?: () => Promise<unknown>): {
  dialogs: ReactNode
  actionsOf: (image: Image) => Action[]
} {
  const [open, setOpen] = useState<OpenDialog>()
  const close = useCallback(() => setOpen(undefined), [])
  const actionsOf = useCallback(
    (image: Image) =>
      siloImageActions(image, {
        openDemote: () => setOpen({ image, dialog: 'demote' }),
        openUse: (dialog) => setOpen({ image, dialog }),
        leave,
      }),
    [leave],
  )
  return { dialogs: open && <Dialogs {...open} leave={leave} onDismiss={close} />, actionsOf }
}

interface DialogsProps extends OpenDialog {
  leave?: () => Promise<unknown>
  onDismiss: () => void
}

function Dialogs({ image, dialog, leave, onDismiss }: DialogsProps) {
  const closing = { image, onDismiss, onMissing: onDismiss }
  return dialog === 'demote' ? (
    <DemoteDialog {...closing} leave={leave} />
  ) : (
    <UseDialog {...closing} use={dialog} />
  )
}
