import { createFileRoute, Outlet } from '@tanstack/react-router'
import { ArrowDownToLine, ArrowUpFromLine, Images, Trash2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { imageList } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { ListTable } from '~/app/list-table'
import { deleteImage } from '~/resource/image-actions'
import { Button } from '~/ui/button'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import type { MenuEntry } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import { PageHeader } from '~/ui/page-header'
import type { PageDocs } from '~/ui/page-header'
import type { Column } from '~/ui/table-column'

import { ImagesUnavailable } from './-images-unavailable'

const PromoteDialog = onDemand(
  async () => (await import('~/resource/image-promote-dialog')).ImagePromoteDialog,
)
const DemoteDialog = onDemand(
  async () => (await import('~/resource/image-demote-dialog')).ImageDemoteDialog,
)

const docs: PageDocs = {
  heading: 'images',
  summary:
    'An image is what new disks can be made from. Silo images are there for every project; an image gets here by being promoted from the project it was made in.',
  links: [{ label: 'Images in the API explorer', href: '/explorer?operation=image_list' }],
}

export const Route = createFileRoute('/_authenticated/_silo/_images')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(imageList, {}, location.search)),
  staticData: { crumb: { label: 'Images', to: () => '/images' } },
  component: SiloImages,
  errorComponent: ImagesUnavailable,
})

const columns: Column<Image>[] = [
  {
    id: 'name',
    header: 'name',
    isName: true,
    cell: ({ name }) => <LinkCell href={`/images/${name}/edit`}>{name}</LinkCell>,
  },
  {
    id: 'description',
    header: 'description',
    width: 320,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  { id: 'size', header: 'size', width: 110, cell: ({ size }) => <ByteSize bytes={size} /> },
  {
    id: 'created',
    header: 'created',
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

type Open = { kind: 'promote' } | { kind: 'demote'; image: Image }

function SiloImages() {
  const [open, setOpen] = useState<Open>()
  const close = useCallback(() => setOpen(undefined), [])
  const page = useListPage(imageList, {})

  useActions(
    useMemo(
      () => [
        {
          id: 'promote-image',
          label: 'Promote image',
          icon: ArrowUpFromLine,
          shortcut: 'n',
          perform: () => setOpen({ kind: 'promote' }),
        },
      ],
      [],
    ),
  )

  const rowActions = (image: Image): MenuEntry[] => [
    {
      id: 'demote',
      label: 'Demote',
      icon: ArrowDownToLine,
      onAction: () => setOpen({ kind: 'demote', image }),
    },
    { id: 'delete', label: 'Delete', icon: Trash2, onAction: () => deleteImage(image) },
  ]

  return (
    <>
      <PageHeader
        icon={<Images />}
        title="Silo Images"
        docs={docs}
        actions={
          <Button onHoverStart={PromoteDialog.preload} onPress={() => setOpen({ kind: 'promote' })}>
            <ArrowUpFromLine aria-hidden="true" />
            Promote image
          </Button>
        }
      />
      <ListTable
        label="Silo images"
        page={page}
        columns={columns}
        rowActions={rowActions}
        empty={
          <EmptyMessage
            icon={<Images />}
            title="No images"
            body="Promote an image to see it here"
          />
        }
      />
      <Outlet />
      {open?.kind === 'promote' && <PromoteDialog onDismiss={close} onMissing={close} />}
      {open?.kind === 'demote' && (
        <DemoteDialog image={open.image} onDismiss={close} onMissing={close} />
      )}
    </>
  )
}
