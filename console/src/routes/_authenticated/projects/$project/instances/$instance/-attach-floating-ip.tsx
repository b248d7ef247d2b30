import {
  floatingIpAttach,
  floatingIpList,
  instanceExternalIpList,
} from '~/api/generated/operations'
import type { FloatingIp, Instance } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import * as text from '~/messages/instance-network-screens'
import { FloatingIpDialog } from '~/resource/floating-ip-dialog'
import { toast } from '~/ui/toast'

interface AttachFloatingIpProps {
  instance: Instance
  /** The project's addresses that are free. */
  floatingIps: readonly FloatingIp[]
  onDismiss: () => void
}

/** Asks which floating IP to attach to the instance, and attaches it. */
export function AttachFloatingIp({ instance, floatingIps, onDismiss }: AttachFloatingIpProps) {
  const attach = useApiMutation(floatingIpAttach, {
    onSuccess: async ({ name }) => {
      await invalidate(floatingIpList, instanceExternalIpList)
      onDismiss()
      toast({
        content: text.ipAttachedToast(name),
      })
    },
  })
  const input = (floatingIp: string) => ({
    path: { floatingIp },
    body: { kind: 'instance' as const, parent: instance.id },
  })
  return (
    <FloatingIpDialog
      floatingIps={floatingIps}
      consequence={text.reachableText(instance.name)}
      submitLabel={text.attachFloatingLabel}
      onSubmit={({ id }) => attach.mutate(input(id))}
      calls={({ floatingIp }) => [{ operation: floatingIpAttach, input: input(floatingIp) }]}
      onDismiss={onDismiss}
      loading={attach.isPending}
      submitError={attach.error}
    />
  )
}
