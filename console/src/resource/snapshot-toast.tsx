import { toast } from '~/ui/toast'

/** Says that a snapshot was taken. */
export function snapshotCreatedToast(name: string): void {
  toast({
    content: (
      <>
        Snapshot <b>{name}</b> created
      </>
    ),
  })
}
