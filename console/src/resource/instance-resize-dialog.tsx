import { useForm } from 'react-hook-form'

import { instanceList, instanceUpdate, instanceView } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import { truncate } from '~/lib/text'
import { formatBytes, GIB } from '~/lib/units'
import * as text from '~/messages/instance'
import { toastFailure } from '~/ui/failure-toast'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

import { InstanceSizeFields } from './instance-size-fields'
import type { InstanceSize } from './instance-size-fields'
import { instanceCan } from './instance-state'
import { instanceUpdateBody } from './instance-update'

interface InstanceResizeDialogProps {
  instance: Instance
  project: string
  /** Adds a link to the instance to the toast. */
  linkToInstance: boolean
  onDismiss: () => void
}

/** Changes the vCPUs and memory of an instance. */
export function InstanceResizeDialog(props: InstanceResizeDialogProps) {
  const { instance, project, linkToInstance, onDismiss } = props
  const { name } = instance
  const form = useForm<InstanceSize>({
    mode: 'onChange',
    defaultValues: { ncpus: instance.ncpus, memory: instance.memory / GIB },
  })
  const { control, formState } = form
  const canResize = instanceCan('resize', instance)

  const resize = useApiMutation(instanceUpdate, {
    onSuccess: async () => {
      await invalidate(instanceList, instanceView)
      onDismiss()
      toast({
        content: text.resizedToast(name),
        link: linkToInstance
          ? {
              label: text.viewInstanceLabel,
              href: `/projects/${project}/instances/${name}/storage`,
            }
          : undefined,
      })
    },
    onError: (failure) => {
      onDismiss()
      void toastFailure(failure)
    },
  })

  const input = ({ ncpus, memory }: InstanceSize) => ({
    path: { instance: name },
    query: { project },
    body: instanceUpdateBody(instance, { ncpus, memory: memory * GIB }),
  })
  return (
    <ModalForm
      needs={instanceUpdate}
      draftOf={instance.id}
      form={form}
      title={text.resizeTitle}
      submitLabel={text.resizeLabel}
      onSubmit={(values) => resize.mutate(input(values))}
      calls={(values) => [{ operation: instanceUpdate, input: input(values) }]}
      onDismiss={onDismiss}
      loading={resize.isPending}
      submitError={null}
      submitDisabledReason={submitRefusal(canResize, formState)}
    >
      {canResize ? (
        <Message tone="info">
          {text.currentSizeText(truncate(name, 20), instance.ncpus, formatBytes(instance.memory))}
        </Message>
      ) : (
        <Message tone="danger">{text.resizeRunningError}</Message>
      )}
      <InstanceSizeFields control={control} cpuLabel={text.cpuLabel} disabled={!canResize} />
    </ModalForm>
  )
}

function submitRefusal(
  canResize: boolean,
  { isDirty, isValid }: { isDirty: boolean; isValid: boolean },
): string | undefined {
  if (!canResize) return text.resizeRunningError
  if (!isDirty) return text.unchangedError
  return isValid ? undefined : text.invalidValuesError
}
