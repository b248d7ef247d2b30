import * as text from '~/messages/disk'
import { toast } from '~/ui/toast'

/** Says that a disk was made. */
export function diskCreatedToast(name: string) {
  toast({
    content: text.createdToast(name),
  })
}

/** Says that a disk was attached to the instance on screen. */
export function diskAttachedToast(name: string) {
  toast({
    content: text.attachedToast(name),
  })
}

/** Says that a new disk exists, though it could not be attached. */
export function diskNotAttachedToast(name: string, instance: string, message: string) {
  toast({
    variant: 'error',
    title: text.attachErrorTitle,
    content: text.notAttachedToast(name, instance, message),
  })
}
