import { ArrowDownToLine, ArrowUpFromLine, HardDrive, Images, Server, Trash2 } from 'lucide-react'

import {
  diskCreate,
  imageDelete,
  imageDemote,
  imageList,
  imagePromote,
  imageView,
  instanceCreate,
} from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as common from '~/messages/common'
import * as text from '~/messages/image'
import { confirm } from '~/ui/confirm'
import type { Several } from '~/ui/menu'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'
import { newDiskPath, newInstancePath } from './disk-source-search'
import { labelsAction } from './labels-action'

/** Refreshes everything that shows images. */
export const refreshImages = (): Promise<void> => invalidate(imageList, imageView)

type NamedImage = Pick<Image, 'id' | 'name'>

const promotion = ({ id }: NamedImage) => planned(imagePromote, { path: { image: id } })

/** How images are deleted when several are. `project` is the name of the one that they are in; absent for images of the silo. */
const deleteSeveralImages = ({ id, name }: NamedImage, project?: string): Several => ({
  kind: 'image_delete',
  name,
  targetId: id,
  project,
})

/** How images are promoted when several are. */
const promoteSeveralImages = (image: NamedImage): Several => ({
  kind: 'image_promote',
  name: image.name,
  call: promotion(image),
  refresh: refreshImages,
})

/** Leaves a page that shows only one image, once it is deleted or somewhere else. */
type Leave = () => Promise<unknown>

/** Asks for confirmation, deletes the image and refreshes the lists. */
function deleteImage({ id, name }: NamedImage, leave?: Leave): void {
  askToDelete({
    of: { kind: 'image', id },
    label: name,
    extra: text.deleteHelp,
    send: planned(imageDelete, { path: { image: id } }),
    leave,
    done: async () => {
      await refreshImages()
      toast({ content: text.deletedToast(name) })
    },
  })
}

/** Asks for confirmation and promotes an image of a project to the silo. */
function promoteImage(image: NamedImage, leave?: Leave): void {
  const { name } = image
  const promote = promotion(image)
  confirm({
    title: text.promoteTitle,
    body: (
      <>
        <p>{text.promoteQuestion(name)}</p>
        <p>{text.promoteHelp}</p>
      </>
    ),
    tone: 'primary',
    confirmLabel: text.promoteLabel,
    errorTitle: text.promoteErrorTitle,
    calls: [promote],
    action: async () => {
      await promote.send()
      await leave?.()
      await refreshImages()
      toast({
        content: text.promotedToast(name),
        link: { label: text.viewSiloImagesLabel, href: '/images' },
      })
    },
  })
}

/** Leads to the page of an image, whose name in a list leads to its form. */
export const viewImageAction = ({ id }: NamedImage, path: string): Action => ({
  id: `image-view-${id}`,
  label: text.viewDetailsLabel,
  icon: Images,
  href: path,
})

const deleteAction = (image: NamedImage, project?: string, leave?: Leave): Action => ({
  id: `image-delete-${image.id}`,
  label: common.deleteLabel,
  destructive: true,
  icon: Trash2,
  needs: imageDelete,
  perform: () => deleteImage(image, leave),
  several: deleteSeveralImages(image, project),
})

/** The actions of an image of a project. */
export const projectImageActions = (
  image: NamedImage,
  project: string,
  leave?: Leave,
): Action[] => [
  {
    id: `image-promote-${image.id}`,
    label: text.promoteLabel,
    icon: ArrowUpFromLine,
    needs: imagePromote,
    perform: () => promoteImage(image, leave),
    several: promoteSeveralImages(image),
  },
  {
    id: `image-create-disk-${image.id}`,
    label: text.createDiskLabel,
    icon: HardDrive,
    needs: diskCreate,
    href: newDiskPath(project, { image: image.id }),
  },
  {
    id: `image-create-instance-${image.id}`,
    label: text.createInstanceLabel,
    icon: Server,
    needs: instanceCreate,
    href: newInstancePath(project, image.id),
  },
  labelsAction({ kind: 'image', ...image, project }, imageDelete),
  activityAction({ kind: 'image', ...image }),
  codeAction(image.id, { kind: 'image', id: image.id, project }),
  deleteAction(image, project, leave),
]

/** What can be created from an image of the silo, in a project that a dialog asks for. */
export type ImageUse = 'disk' | 'instance'

interface SiloImageContext {
  /** Opens the dialog that asks for the project that the image goes to. */
  openDemote: () => void
  /** Opens the dialog that asks for the project in which something is created from the image. */
  openUse: (use: ImageUse) => void
  leave?: Leave
}

/** The actions of an image of the silo. */
export const siloImageActions = (
  image: NamedImage,
  { openDemote, openUse, leave }: SiloImageContext,
): Action[] => [
  {
    id: `image-demote-${image.id}`,
    label: text.demoteLabel,
    icon: ArrowDownToLine,
    needs: imageDemote,
    perform: openDemote,
  },
  {
    id: `image-create-disk-${image.id}`,
    label: text.createDiskLabel,
    icon: HardDrive,
    // The form knows the rights, once the project is selected.
    needs: null,
    perform: () => openUse('disk'),
  },
  {
    id: `image-create-instance-${image.id}`,
    label: text.createInstanceLabel,
    icon: Server,
    needs: null,
    perform: () => openUse('instance'),
  },
  labelsAction({ kind: 'image', ...image }, imageDelete),
  activityAction({ kind: 'image', ...image }),
  codeAction(image.id, { kind: 'image', id: image.id }),
  deleteAction(image, undefined, leave),
]
