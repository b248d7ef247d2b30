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
  const input = (disk: string) => ({ path: { instance }, query: { project }, body: { disk } })
  return (
    <AttachDiskDialog
      project={project}
      onSubmit={({ name }) => attach.mutate(input(name))}
      calls={({ name }) => [{ operation: instanceDiskAttach, input: input(name) }]}
      onDismiss={onDismiss}
      loading={attach.isPending}
      submitError={attach.error}
    />
  )
}
