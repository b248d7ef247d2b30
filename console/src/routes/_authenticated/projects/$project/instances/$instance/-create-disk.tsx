import { call } from '~/api/call'
import { ApiError } from '~/api/errors'
import {
  diskCreate,
  diskList,
  instanceDiskAttach,
  instanceDiskList,
} from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import { DiskForm } from '~/resource/disk-create-form'
import { diskCreateBody } from '~/resource/disk-form'
import type { DiskFormValues } from '~/resource/disk-form'
import { diskAttachedToast, diskCreatedToast, diskNotAttachedToast } from '~/resource/disk-toasts'

interface CreateDiskProps {
  project: string
  /** Name of the instance. */
  instance: string
  onDismiss: () => void
}

/** Creates a disk and attaches it to the instance. */
export function CreateDisk({ project, instance, onDismiss }: CreateDiskProps) {
  const create = useApiMutation(diskCreate, {
    onSuccess: async ({ name }) => {
      const failure = await attachFailure(project, instance, name)
      await invalidate(diskList, instanceDiskList)
      onDismiss()
      diskCreatedToast(name)
      if (failure) diskNotAttachedToast(name, instance, failure.message)
      else diskAttachedToast(name)
    },
  })
  const input = (values: DiskFormValues) => ({ query: { project }, body: diskCreateBody(values) })
  return (
    <DiskForm
      project={project}
      onSubmit={(values) => create.mutate(input(values))}
      calls={(values) => [
        { operation: diskCreate, input: input(values) },
        { operation: instanceDiskAttach, input: attachment(project, instance, values.name) },
      ]}
      onDismiss={onDismiss}
      loading={create.isPending}
      submitError={create.error}
    />
  )
}

const attachment = (project: string, instance: string, disk: string) => ({
  path: { instance },
  query: { project },
  body: { disk },
})

/** Attaches the new disk. A failure is returned and not thrown, because the disk exists anyway. */
async function attachFailure(project: string, instance: string, disk: string) {
  try {
    await call(instanceDiskAttach, attachment(project, instance, disk))
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  return undefined
}
