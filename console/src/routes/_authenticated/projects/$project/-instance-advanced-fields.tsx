import { useState } from 'react'
import type { Control, FieldErrors, UseFormSetValue } from 'react-hook-form'

import type { SiloIpPool } from '~/api/generated/types.gen'
import * as text from '~/messages/instance-form-screens'
import type { InstanceFormValues } from '~/resource/instance-form'
import { Accordion } from '~/ui/accordion'
import { Message } from '~/ui/message'
import { onDemand } from '~/ui/on-demand'

import { ConfigurationFields } from './-instance-configuration-fields'
import { FormSection } from './-instance-form-section'
import { SshKeyFields } from './-instance-ssh-key-fields'

const NetworkFields = onDemand(
  async () => (await import('./-instance-network-fields')).NetworkFields,
)

interface AdvancedFieldsProps {
  project: string
  control: Control<InstanceFormValues>
  setValue: UseFormSetValue<InstanceFormValues>
  errors: FieldErrors<InstanceFormValues>
  /** The pools that the project may take addresses from. */
  pools: readonly SiloIpPool[]
}

/** The SSH keys, and settings that most instances do not need. A section with an invalid field is open. */
export function AdvancedFields(props: AdvancedFieldsProps) {
  const { project, control, setValue, errors, pools } = props
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
  const networking = section('networking', Boolean(errors.interfaces || errors.ephemeralPool))
  // Most people never open the section, so its fields are mounted when they do. From then on they are validated, even if the section is closed.
  const [hasNetworking, setNetworking] = useState(false)
  if (networking.isOpen && !hasNetworking) setNetworking(true)
  return (
    <>
      <SshKeyFields control={control} />
      <FormSection title={text.advancedTitle}>
        {!pools.some(({ isDefault }) => isDefault) && (
          <Message tone="notice" className="max-w-lg" title={text.noDefaultPoolTitle}>
            {text.noDefaultPoolText}
          </Message>
        )}
        <div>
          <Accordion title={text.networkingTitle} {...networking}>
            {hasNetworking && (
              <NetworkFields
                project={project}
                control={control}
                setValue={setValue}
                pools={pools}
                onMissing={() => {
                  networking.onOpenChange(false)
                  setNetworking(false)
                }}
              />
            )}
          </Accordion>
          <Accordion
            title={text.configurationTitle}
            {...section('configuration', Boolean(errors.hostname || errors.userData))}
          >
            <ConfigurationFields project={project} control={control} />
          </Accordion>
        </div>
      </FormSection>
    </>
  )
}
