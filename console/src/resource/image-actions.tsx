import { call } from '~/api/call'
import { imageDelete, imageList, imagePromote, imageView } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import * as text from '~/messages/image'
import { confirm, confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** Refreshes everything that shows images. */
export const refreshImages = (): Promise<void> => invalidate(imageList, imageView)

/** Asks for confirmation, deletes the image and refreshes the lists. */
export function deleteImage({ id, name }: Pick<Image, 'id' | 'name'>): void {
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
export function promoteImage({ id, name }: Pick<Image, 'id' | 'name'>): void {
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
      await call(imagePromote, { path: { image: id } })
      await refreshImages()
      toast({
        content: text.promotedToast(name),
        link: { label: text.viewSiloImagesLabel, href: '/images' },
      })
    },
  })
}
