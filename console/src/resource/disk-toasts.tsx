import * as text from '~/messages/disk'
import { toast } from '~/ui/toast'

/** Shows that a disk was created. */
export function diskCreatedToast(name: string) {
  toast({
    content: text.createdToast(name),
  })
}

/** Shows that a disk was attached to the instance on the page. */
export function diskAttachedToast(name: string) {
  toast({
    content: text.attachedToast(name),
  })
}

/** Shows that a disk was created, but could not be attached. */
export function diskNotAttachedToast(name: string, instance: string, message: string) {
  toast({
    variant: 'error',
    title: text.attachErrorTitle,
    content: text.notAttachedToast(name, instance, message),
  })
}
