import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useFormState } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { validateIp } from '~/lib/ip'
import type { FloatingIpFormValues } from '~/resource/floating-ip-form'
import { defaultPoolName, ipPoolOptions } from '~/resource/ip-pool-options'
import { projectIpPools } from '~/resource/project-ip-pools'
import { Accordion } from '~/ui/accordion'
import { ListboxField } from '~/ui/form/listbox-field'
import { TextField } from '~/ui/form/text-field'
import { Message } from '~/ui/message'

/** Where the address comes from, for people who care: a closed section, unless something in it needs them. */
export function AddressFields({ control }: { control: Control<FloatingIpFormValues> }) {
  const { data, isPending, error } = useQuery(projectIpPools)
  const pools = data?.items ?? []
  const hasNoDefault = data !== undefined && defaultPoolName(pools) === ''
  const { errors, submitCount } = useFormState({ control })
  const isWrong = errors.pool !== undefined || errors.ip !== undefined
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isWrong || hasNoDefault) setOpen(true)
  }, [isWrong, hasNoDefault, submitCount])
  return (
    <Accordion title="Advanced" isOpen={isOpen} onOpenChange={setOpen}>
      <div className="flex flex-col gap-5">
        {error && (
          <Message tone="notice" title="Could not load the IP pools">
            {error.message}
          </Message>
        )}
        {hasNoDefault ? (
          <Message tone="notice">
            The silo has no default pool, so you have to select one here.
          </Message>
        ) : (
          <Message tone="info">
            The address comes from the silo’s default pool unless you select another one.
          </Message>
        )}
        <ListboxField
          name="pool"
          control={control}
          label="IP pool"
          required={hasNoDefault}
          placeholder="Select a pool"
          noOptions="No pools available"
          isLoading={isPending}
          options={ipPoolOptions(pools)}
        />
        <TextField
          name="ip"
          control={control}
          label="IP address"
          isCode
          help="A specific address. Leave blank for the lowest available."
          validate={(ip) => (ip.trim() ? validateIp(ip.trim()) : undefined)}
        />
      </div>
    </Accordion>
  )
}
