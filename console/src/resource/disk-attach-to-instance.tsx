import { useQuery } from '@tanstack/react-query'

import {
  diskList,
  diskView,
  instanceDiskAttach,
  instanceDiskList,
  instanceList,
} from '~/api/generated/operations'
import type { Disk } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import * as text from '~/messages/disk'
import { ListboxField } from '~/ui/form/listbox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'

import { instanceCan } from './instance-state'

interface AttachToInstanceProps {
  /** Name of the project. */
  project: string
  disk: Disk
  onDismiss: () => void
}

/** Asks which instance to attach a disk to, and attaches it. */
export function AttachToInstance({ project, disk, onDismiss }: AttachToInstanceProps) {
  const { data, isPending } = useQuery(q(instanceList, { query: { project, limit: allItems } }))
  const { control, shell } = useResourceForm({
    operation: instanceDiskAttach,
    defaultValues: { instance: '' },
    input: ({ instance }) => ({ path: { instance }, body: { disk: disk.id } }),
    refreshes: [diskList, diskView, instanceDiskList],
    leave: onDismiss,
    toast: ({ name }) => text.attachedToast(name),
  })
  const instances = (data?.items ?? []).filter((instance) => instanceCan('attachDisk', instance))
  return (
    <ModalForm {...shell} title={text.attachToInstanceTitle} submitLabel={text.attachLabel}>
      <Message>{text.attachToInstanceText}</Message>
      <ListboxField
        name="instance"
        control={control}
        label={text.instanceLabel}
        required
        placeholder={text.instancePlaceholder}
        noOptions={text.noStoppedInstancesText}
        isLoading={isPending}
        options={instances.map(({ id, name, runState }) => ({
          value: id,
          label: name,
          detail: runState,
        }))}
      />
    </ModalForm>
  )
}
