import { useState } from 'react'
import type { Control, FieldErrors } from 'react-hook-form'

import type { InstanceFormValues } from '~/resource/instance-form'
import { Accordion } from '~/ui/accordion'

import { ConfigurationFields } from './-instance-configuration-fields'
import { FormSection } from './-instance-form-section'

interface AdvancedFieldsProps {
  project: string
  control: Control<InstanceFormValues>
  errors: FieldErrors<InstanceFormValues>
}

/** What most instances leave as it is. A section with a mistake in it is open. */
export function AdvancedFields(props: AdvancedFieldsProps) {
  const { project, control, errors } = props
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const section = (id: string, isWrong: boolean) => ({
    isOpen: isWrong || open.has(id),
    onOpenChange: (isOpen: boolean) => {
      const next = new Set(open)
      if (isOpen) next.add(id)
      else next.delete(id)
      setOpen(next)
    },
  })
  return (
    <FormSection title="Advanced">
      <div>
        <Accordion
          title="Configuration"
          {...section('configuration', Boolean(errors.hostname || errors.userData))}
        >
          <ConfigurationFields project={project} control={control} />
        </Accordion>
      </div>
    </FormSection>
  )
}
