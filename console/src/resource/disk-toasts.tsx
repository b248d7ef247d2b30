import { toast } from '~/ui/toast'

/** Says that a disk was made. */
export function diskCreatedToast(name: string) {
  toast({
    content: (
      <>
        Disk <b>{name}</b> created
      </>
    ),
  })
}

/** Says that a disk was attached to the instance on screen. */
export function diskAttachedToast(name: string) {
  toast({
    content: (
      <>
        Disk <b>{name}</b> attached
      </>
    ),
  })
}

/** Says that a new disk exists, though it could not be attached. */
export function diskNotAttachedToast(name: string, instance: string, message: string) {
  toast({
    variant: 'error',
    title: 'Could not attach disk',
    content: (
      <>
        Disk <b>{name}</b> was created, but not attached to <b>{instance}</b>. {message}
      </>
    ),
  })
}
