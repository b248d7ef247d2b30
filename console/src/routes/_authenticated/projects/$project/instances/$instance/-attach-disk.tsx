import { diskList, instanceDiskAttach, instanceDiskList } from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import { AttachDiskDialog } from '~/resource/disk-attach-dialog'
import { diskAttachedToast } from '~/resource/disk-toasts'

interface AttachDiskProps {
  project: string
  /** Name of the instance. */
  instance: string
  onDismiss: () => void
}

/** Asks which existing disk to attach to the instance, and attaches it. */
export function AttachDisk({ project, instance, onDismiss }: AttachDiskProps) {
  const attach = useApiMutation(instanceDiskAttach, {
    onSuccess: async ({ name }) => {
      await invalidate(instanceDiskList, diskList)
      onDismiss()
      diskAttachedToast(name)
    },
  })
  return (
    <AttachDiskDialog
      project={project}
      onSubmit={({ name }) =>
        attach.mutate({ path: { instance }, query: { project }, body: { disk: name } })
      }
      onDismiss={onDismiss}
      loading={attach.isPending}
      submitError={attach.error}
    />
  )
}
