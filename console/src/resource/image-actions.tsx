import { call } from '~/api/call'
import { imageDelete, imageList, imagePromote, imageView } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { confirm, confirmDelete } from '~/ui/confirm'
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
    extra: 'Disks created from it are not affected.',
    action: async () => {
      await call(imageDelete, { path: { image: id } })
      await refreshImages()
      imageToast(name, 'deleted')
    },
  })
}

/** Asks and makes an image of a project an image of the whole silo. */
export function promoteImage({ id, name }: Pick<Image, 'id' | 'name'>): void {
  confirm({
    title: 'Promote image',
    body: (
      <>
        <p>
          Are you sure you want to promote <b>{name}</b>?
        </p>
        <p>Once an image has been promoted it is visible to all projects of the silo.</p>
      </>
    ),
    tone: 'primary',
    confirmLabel: 'Promote',
    errorTitle: 'Error',
    action: async () => {
      await call(imagePromote, { path: { image: id } })
      await refreshImages()
      imageToast(name, 'promoted', { label: 'View silo images', href: '/images' })
    },
  })
}
