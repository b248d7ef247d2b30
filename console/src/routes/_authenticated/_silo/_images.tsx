import { createFileRoute } from '@tanstack/react-router'
import { ArrowDownToLine, ArrowUpFromLine, Images, Trash2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { imageCreate, imageDelete, imageDemote, imageList } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import { load } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as common from '~/messages/common'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/silo-image-screens'
import { deleteImage } from '~/resource/image-actions'
import { imageColumns } from '~/resource/image-columns'
import { imageDocs } from '~/resource/image-docs'
import { Button } from '~/ui/button'
import type { MenuEntry } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'

const PromoteDialog = onDemand(
  async () => (await import('~/resource/image-promote-dialog')).ImagePromoteDialog,
)
const DemoteDialog = onDemand(
  async () => (await import('~/resource/image-demote-dialog')).ImageDemoteDialog,
)

export const Route = createFileRoute('/_authenticated/_silo/_images')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(imageList, {}, location.search)),
  staticData: { crumb: { label: crumbs.imagesLabel, to: () => '/images' } },
  component: SiloImages,
})

const list = defineList({
  operation: imageList,
  params: () => ({}),
  title: text.siloImagesTitle,
  label: text.tableLabel,
  icon: Images,
  docs: imageDocs,
  empty: { title: text.emptyTitle, body: text.emptyHelp },
})

/** The image is chosen in the dialog. What can be checked before is the right to create an image in the silo. */
const PROMOTION = imageCreate

const columns = imageColumns('')

type Open = { kind: 'promote' } | { kind: 'demote'; image: Image }

function SiloImages() {
  const [open, setOpen] = useState<Open>()
  const close = useCallback(() => setOpen(undefined), [])

  useActions(
    useMemo(
      () => [
        {
          id: 'promote-image',
          label: text.promoteImageLabel,
          icon: ArrowUpFromLine,
          shortcut: 'n',
          needs: PROMOTION,
          perform: () => setOpen({ kind: 'promote' }),
        },
      ],
      [],
    ),
  )

  const rowActions = (image: Image): MenuEntry[] => [
    {
      id: 'demote',
      label: text.demoteLabel,
      icon: ArrowDownToLine,
      needs: imageDemote,
      onAction: () => setOpen({ kind: 'demote', image }),
    },
    {
      id: 'delete',
      label: common.deleteLabel,
      destructive: true,
      icon: Trash2,
      needs: imageDelete,
      onAction: () => deleteImage(image),
    },
  ]

  return (
    <ListScreen
      list={list}
      place={undefined}
      page={useList(list, undefined)}
      columns={columns}
      rowActions={rowActions}
      actions={
        <Button
          needs={PROMOTION}
          onHoverStart={PromoteDialog.preload}
          onPress={() => setOpen({ kind: 'promote' })}
        >
          <ArrowUpFromLine aria-hidden="true" />
          {text.promoteImageLabel}
        </Button>
      }
    >
      {open?.kind === 'promote' && <PromoteDialog onDismiss={close} onMissing={close} />}
      {open?.kind === 'demote' && (
        <DemoteDialog image={open.image} onDismiss={close} onMissing={close} />
      )}
    </ListScreen>
  )
}
