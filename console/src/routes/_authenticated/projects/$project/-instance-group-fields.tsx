import { useState } from 'react'
import { useController } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import * as common from '~/messages/common'
import * as text from '~/messages/instance-form-screens'
import type { InstanceFormValues } from '~/resource/instance-form'
import { Button } from '~/ui/button'
import { MiniTable } from '~/ui/form/mini-table'
import { onDemand } from '~/ui/on-demand'

const GroupDialog = onDemand(
  async () => (await import('~/resource/anti-affinity-group-dialog')).AntiAffinityGroupDialog,
)

interface GroupFieldsProps {
  project: string
  control: Control<InstanceFormValues>
}

/** Selects the anti-affinity groups that the instance is created in. */
export function GroupFields({ project, control }: GroupFieldsProps) {
  const { field } = useController({ control, name: 'groups' })
  const [isChoosing, setChoosing] = useState(false)
  const close = () => setChoosing(false)
  return (
    <div role="group" aria-labelledby="anti-affinity-groups" className="space-y-3">
      <div>
        <h4 id="anti-affinity-groups" className="text-sm font-medium">
          {text.groupsTitle}
        </h4>
        <p className="max-w-lg text-sm text-fg-subtle">{text.groupsHelp}</p>
      </div>
      <MiniTable
        aria-label={text.groupsLabel}
        columns={[{ header: common.nameLabel, cell: (name) => name }]}
        items={field.value}
        rowKey={(name) => name}
        onRemove={(name) => field.onChange(field.value.filter((each) => each !== name))}
        removeLabel={text.removeGroupLabel}
      />
      <Button needs={null} variant="secondary" size="sm" onPress={() => setChoosing(true)}>
        {text.addGroupLabel}
      </Button>
      {isChoosing && (
        <GroupDialog
          project={project}
          takenNames={field.value}
          calls={null}
          onSubmit={({ name }) => {
            field.onChange([...field.value, name])
            close()
          }}
          onDismiss={close}
          onMissing={close}
          loading={false}
          submitError={null}
        />
      )}
    </div>
  )
}
