import { call } from '~/api/call'
import { imageDelete, imageList, imagePromote, imageView } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import * as text from '~/messages/image'
import { confirm, confirmDelete } from '~/ui/confirm'
import type { Several } from '~/ui/menu'
import { toast } from '~/ui/toast'

/** Refreshes everything that shows images. */
export const refreshImages = (): Promise<void> => invalidate(imageList, imageView)

type NamedImage = Pick<Image, 'id' | 'name'>

const sendPromotion = ({ id }: NamedImage) => call(imagePromote, { path: { image: id } })

/** How images are deleted when several are. `project` is the name of the one that they are in; absent for images of the silo. */
export const deleteSeveralImages = ({ id, name }: NamedImage, project?: string): Several => ({
  kind: 'image_delete',
  name,
  targetId: id,
  project,
})

/** How images are promoted when several are. */
export const promoteSeveralImages = (image: NamedImage): Several => ({
  kind: 'image_promote',
  name: image.name,
  run: () => sendPromotion(image),
  refresh: refreshImages,
})

/** Asks for confirmation, deletes the image and refreshes the lists. */
export function deleteImage({ id, name }: NamedImage): void {
  confirmDelete({
    label: name,
    extra: text.deleteHelp,
    action: async () => {
      await call(imageDelete, { path: { image: id } })
      await refreshImages()
      toast({ content: text.deletedToast(name) })
    },
  })
}

/** Asks for confirmation and promotes an image of a project to the silo. */
export function promoteImage(image: NamedImage): void {
  const { name } = image
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
    action: async () => {
      await sendPromotion(image)
      await refreshImages()
      toast({
        content: text.promotedToast(name),
        link: { label: text.viewSiloImagesLabel, href: '/images' },
      })
    },
  })
}
