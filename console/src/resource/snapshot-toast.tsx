import * as text from '~/messages/snapshot'
import { toast } from '~/ui/toast'

/** Says that a snapshot was taken. */
export function snapshotCreatedToast(name: string): void {
  toast({
    content: text.createdToast(name),
  })
}
