import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { validateUserData } from '~/resource/instance-form'
import type { InstanceFormValues } from '~/resource/instance-form'
import { FileField } from '~/ui/form/file-field'
import { TextField } from '~/ui/form/text-field'

import { GroupFields } from './-instance-group-fields'

interface ConfigurationFieldsProps {
  project: string
  control: Control<InstanceFormValues>
}

/** What the system inside the instance is told when it first starts, and with whom it does not share a sled. */
export function ConfigurationFields({ project, control }: ConfigurationFieldsProps) {
  const name = useWatch({ control, name: 'name' })
  return (
    <div className="space-y-6">
      <TextField
        name="hostname"
        control={control}
        isCode
        placeholder={name}
        help="Leave blank to use the instance’s name."
      />
      <FileField
        name="userData"
        control={control}
        label="User Data"
        help="A cloud-init script or configuration of up to 32 KiB. The guest reads it when it first starts."
        validate={validateUserData}
      />
      <GroupFields project={project} control={control} />
    </div>
  )
}
