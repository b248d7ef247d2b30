import { createFileRoute } from '@tanstack/react-router'
import { ArrowDownToLine, ArrowUpFromLine, Images, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'

import { imageCreate, imageDelete, imageDemote, imageList } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import { codeAction } from '~/app/resource-actions'
import * as common from '~/messages/common'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/silo-image-screens'
import { deleteSeveralImages, deleteImage } from '~/resource/image-actions'
import { imageColumns } from '~/resource/image-columns'
import { imageDocs } from '~/resource/image-docs'
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
  loader: (route) => loadPage(route, imageList, {}),
  staticData: { crumb: { label: crumbs.imagesLabel, to: () => '/images' } },
  component: SiloImages,
})

const list = defineList({
  operation: imageList,
  params: noParams,
  title: text.siloImagesTitle,
  label: text.tableLabel,
  icon: Images,
  docs: imageDocs,
  create: {
    // The image is selected in the dialog. What can be checked before is the right to create an image in the silo.
    operation: imageCreate,
    label: text.promoteImageLabel,
    icon: ArrowUpFromLine,
    dialog: (_, closing) => <PromoteDialog {...closing} />,
    preload: PromoteDialog.preload,
  },
  empty: { title: text.emptyTitle, body: text.emptyHelp },
})

const columns = imageColumns('')

function SiloImages() {
  const [demoted, setDemoted] = useState<Image>()
  const close = useCallback(() => setDemoted(undefined), [])

  const rowActions = (image: Image): MenuEntry[] => [
    {
      id: 'demote',
      label: text.demoteLabel,
      icon: ArrowDownToLine,
      needs: imageDemote,
      onAction: () => setDemoted(image),
    },
    ...menuEntries([codeAction(image.id, { kind: 'image', id: image.id })]),
    {
      id: 'delete',
      label: common.deleteLabel,
      destructive: true,
      icon: Trash2,
      needs: imageDelete,
      onAction: () => deleteImage(image),
      several: deleteSeveralImages(image),
    },
  ]

  return (
    <ListScreen page={useList(list)} columns={columns} rowActions={rowActions}>
      {demoted && <DemoteDialog image={demoted} onDismiss={close} onMissing={close} />}
    </ListScreen>
  )
}
