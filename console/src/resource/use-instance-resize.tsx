import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'

import type { Instance } from '~/api/generated/types.gen'
import { onDemand } from '~/ui/on-demand'

const ResizeDialog = onDemand(
  async () => (await import('./instance-resize-dialog')).InstanceResizeDialog,
)

/**
 * The resize dialog of a screen and a function that opens it. The dialog keeps the instance as it was when opened.
 *
 * @param linkToInstance adds a link to the instance to the toast, for screens that show more than that instance.
 */
export function useInstanceResize(
  project: string,
  linkToInstance: boolean,
): { openResize: (instance: Instance) => void; resizeDialog: ReactNode } {
  const [instance, setInstance] = useState<Instance>()
  const close = useCallback(() => setInstance(undefined), [])
  const resizeDialog = instance && (
    <ResizeDialog
      instance={instance}
      project={project}
      linkToInstance={linkToInstance}
      onDismiss={close}
      onMissing={close}
    />
  )
  return { openResize: setInstance, resizeDialog }
}
