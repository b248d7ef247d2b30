import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { diskCreate, diskList, imageView, snapshotView } from '~/api/generated/operations'
import { invalidate, load, qOptional, useApiMutation } from '~/api/query'
import * as crumbs from '~/messages/project-crumb-screens'
import { DiskForm } from '~/resource/disk-create-form'
import { diskCreateBody } from '~/resource/disk-form'
import type { DiskFormValues, KnownSource } from '~/resource/disk-form'
import { diskSourceSearch } from '~/resource/disk-source-search'
import { diskCreatedToast } from '~/resource/disk-toasts'

// A source that is gone is not selected. That is no reason to show no form.
const snapshotOf = (snapshot: string) => qOptional(snapshotView, { path: { snapshot } })
const imageOf = (image: string) => qOptional(imageView, { path: { image } })

export const Route = createFileRoute('/_authenticated/projects/$project/_disks/disks-new')({
  loader: async ({ context: { queryClient }, location }) => {
    const { snapshot, image } = diskSourceSearch({ ...location.search })
    if (snapshot) await load(queryClient, snapshotOf(snapshot))
    if (image) await load(queryClient, imageOf(image))
  },
  staticData: { crumb: { label: crumbs.newDiskLabel, titleOnly: true } },
  component: NewDisk,
})

function NewDisk() {
  const { snapshot, image } = diskSourceSearch(Route.useSearch())
  if (snapshot) return <FromSnapshot key={snapshot} id={snapshot} />
  return image ? <FromImage key={image} id={image} /> : <Form />
}

// A link to another source within this screen does not load it first.
function FromSnapshot({ id }: { id: string }) {
  const { data: snapshot, isPending } = useQuery(snapshotOf(id))
  if (isPending) return null
  return <Form source={snapshot ? { ...snapshot, kind: 'snapshot' } : undefined} />
}

function FromImage({ id }: { id: string }) {
  const { data: image, isPending } = useQuery(imageOf(id))
  if (isPending) return null
  return <Form source={image ? { ...image, kind: 'image' } : undefined} />
}

function Form({ source }: { source?: KnownSource }) {
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
      source={source}
      isForImport
      onSubmit={(values) => create.mutate(input(values))}
      calls={(values) => [{ operation: diskCreate, input: input(values) }]}
      onDismiss={() => void close()}
      loading={create.isPending}
      submitError={create.error}
    />
  )
}
