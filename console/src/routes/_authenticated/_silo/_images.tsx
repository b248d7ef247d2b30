import { createFileRoute } from '@tanstack/react-router'
import { ArrowUpFromLine, Images } from 'lucide-react'
import { useCallback } from 'react'

import { imageCreate, imageList } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/crumb-screens'
import * as shared from '~/messages/image'
import * as text from '~/messages/silo-image-screens'
import { viewImageAction } from '~/resource/image-actions'
import { imageColumns } from '~/resource/image-columns'
import { imageDocs } from '~/resource/image-docs'
import { useSiloImageActions } from '~/resource/silo-image-actions'
import { onDemand } from '~/ui/on-demand'

const PromoteDialog = onDemand(
  async () => (await import('~/resource/image-promote-dialog')).ImagePromoteDialog,
)
export const Route = createFileRoute('/_authenticated/_silo/_images')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, imageList, {}),
  staticData: { crumb: { label: crumbs.imagesLabel, to: () => '/images' } },
  component: SiloImages,
})

const imagePath = ({ name }: Image) => `/images/${name}`

const list = defineList({
  operation: imageList,
  params: noParams,
  labels: () => ({ kind: 'image', path: '/images' }),
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
  goTo: { group: shared.goToImageLabel, icon: Images, path: imagePath },
})

const columns = imageColumns('')

function SiloImages() {
  const { dialogs, actionsOf } = useSiloImageActions()
  const rowActions = useCallback(
    (image: Image) => menuEntries([viewImageAction(image, imagePath(image)), ...actionsOf(image)]),
    [actionsOf],
  )
  return (
    <ListScreen page={useList(list)} columns={columns} rowActions={rowActions}>
      {dialogs}
    </ListScreen>
  )
}
