import * as text from '~/messages/snapshot'
import { toast } from '~/ui/toast'

/** Shows that a snapshot was created. */
export function snapshotCreatedToast(name: string): void {
  toast({
    content: text.createdToast(name),
  })
}
