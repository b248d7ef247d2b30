import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { diskCreate, diskList } from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import * as crumbs from '~/messages/project-crumb-screens'
import { DiskForm } from '~/resource/disk-create-form'
import { diskCreateBody } from '~/resource/disk-form'
import type { DiskFormValues } from '~/resource/disk-form'
import { diskCreatedToast } from '~/resource/disk-toasts'

export const Route = createFileRoute('/_authenticated/projects/$project/_disks/disks-new')({
  staticData: { crumb: { label: crumbs.newDiskLabel, titleOnly: true } },
  component: NewDisk,
})

function NewDisk() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const close = () => navigate({ to: '/projects/$project/disks', params: { project } })
  const create = useApiMutation(diskCreate, {
    onSuccess: async ({ name }) => {
      await invalidate(diskList)
      await close()
      diskCreatedToast(name)
    },
  })
  const input = (values: DiskFormValues) => ({ query: { project }, body: diskCreateBody(values) })
  return (
    <DiskForm
      project={project}
      isForImport
      onSubmit={(values) => create.mutate(input(values))}
      calls={(values) => [{ operation: diskCreate, input: input(values) }]}
      onDismiss={() => void close()}
      loading={create.isPending}
      submitError={create.error}
    />
  )
}
