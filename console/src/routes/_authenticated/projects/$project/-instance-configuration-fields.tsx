import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import * as text from '~/messages/instance-form-screens'
import { validateUserData } from '~/resource/instance-form'
import type { InstanceFormValues } from '~/resource/instance-form'
import { FileField } from '~/ui/form/file-field'
import { TextField } from '~/ui/form/text-field'

import { GroupFields } from './-instance-group-fields'

interface ConfigurationFieldsProps {
  project: string
  control: Control<InstanceFormValues>
}

/** Hostname, user data and anti-affinity groups of the new instance. */
export function ConfigurationFields({ project, control }: ConfigurationFieldsProps) {
  const name = useWatch({ control, name: 'name' })
  return (
    <div className="space-y-6">
      <TextField
        name="hostname"
        control={control}
        isCode
        placeholder={name}
        help={text.hostnameHelp}
      />
      <FileField
        name="userData"
        control={control}
        label={text.userDataLabel}
        help={text.userDataHelp}
        validate={validateUserData}
      />
      <GroupFields project={project} control={control} />
    </div>
  )
}
