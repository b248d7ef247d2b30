import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useFormState } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { validateIp } from '~/lib/ip'
import * as text from '~/messages/floating-ip-screens'
import * as shared from '~/messages/project-screens'
import type { FloatingIpFormValues } from '~/resource/floating-ip-form'
import { defaultPoolName, ipPoolOptions } from '~/resource/ip-pool-options'
import { projectIpPools } from '~/resource/project-ip-pools'
import { Accordion } from '~/ui/accordion'
import { ListboxField } from '~/ui/form/listbox-field'
import { TextField } from '~/ui/form/text-field'
import { Message } from '~/ui/message'

/** Selects the pool or the address. The section is closed unless something in it needs attention. */
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
    <Accordion title={text.advancedTitle} isOpen={isOpen} onOpenChange={setOpen}>
      <div className="flex flex-col gap-5">
        {error && (
          <Message tone="notice" title={text.poolsFailedTitle}>
            {error.message}
          </Message>
        )}
        {hasNoDefault ? (
          <Message tone="notice">{text.noDefaultPoolText}</Message>
        ) : (
          <Message tone="info">{text.defaultPoolText}</Message>
        )}
        <ListboxField
          name="pool"
          control={control}
          label={text.poolLabel}
          required={hasNoDefault}
          placeholder={shared.poolPlaceholder}
          noOptions={shared.noPoolsText}
          isLoading={isPending}
          options={ipPoolOptions(pools)}
        />
        <TextField
          name="ip"
          control={control}
          label={text.addressLabel}
          isCode
          help={text.addressHelp}
          validate={(ip) => (ip.trim() ? validateIp(ip.trim()) : undefined)}
        />
      </div>
    </Accordion>
  )
}
