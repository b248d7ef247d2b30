import { call } from '~/api/call'
import { imageDelete, imageList, imageView } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'
import type { ToastOptions } from '~/ui/toast'

/** Fetches again what a change to an image shows in. */
export const refreshImages = (): Promise<void> => invalidate(imageList, imageView)

/** Says what was done to an image. */
export function imageToast(name: string, done: string, link?: ToastOptions['link']): void {
  toast({
    content: (
      <>
        Image <b>{name}</b> {done}
      </>
    ),
    link,
  })
}

/** Asks, deletes the image and refreshes the lists. Disks made from it stay as they are. */
export function deleteImage({ id, name }: Pick<Image, 'id' | 'name'>): void {
  confirmDelete({
    label: name,
    extra: 'Disks that were made from it keep working.',
    action: async () => {
      await call(imageDelete, { path: { image: id } })
      await refreshImages()
      imageToast(name, 'deleted')
    },
  })
}
