import { useState } from 'react'
import { useController, useWatch } from 'react-hook-form'
import type { Control, UseFormSetValue } from 'react-hook-form'

import type { InstanceNetworkInterfaceCreate, SiloIpPool } from '~/api/generated/types.gen'
import * as common from '~/messages/common'
import * as text from '~/messages/instance-form-screens'
import * as shared from '~/messages/project-screens'
import type { InstanceFormValues } from '~/resource/instance-form'
import { defaultPoolName, ipPoolOptions } from '~/resource/ip-pool-options'
import { Button } from '~/ui/button'
import { CheckboxField } from '~/ui/form/checkbox-field'
import { FieldMessage } from '~/ui/form/field-frame'
import { ListboxField } from '~/ui/form/listbox-field'
import { MiniTable } from '~/ui/form/mini-table'
import type { MiniTableColumn } from '~/ui/form/mini-table'
import { RadioField } from '~/ui/form/radio-field'
import { onDemand } from '~/ui/on-demand'
import { TipIcon } from '~/ui/tooltip'

import { FloatingIpFields } from './-instance-floating-ip-fields'

const NetworkInterfaceForm = onDemand(
  async () => (await import('~/resource/network-interface-form')).NetworkInterfaceForm,
)

/** Network interfaces of one instance. */
const INTERFACES_MAX = 8

interface NetworkFieldsProps {
  project: string
  control: Control<InstanceFormValues>
  setValue: UseFormSetValue<InstanceFormValues>
  /** The pools that the project may take addresses from. */
  pools: readonly SiloIpPool[]
}

const CHOICES = [
  { value: 'none', label: text.noInterfaceLabel },
  { value: 'default', label: text.defaultInterfaceLabel },
  { value: 'create', label: text.customInterfaceLabel },
] as const

/** Network interfaces and external IPs of the new instance. */
export function NetworkFields({ project, control, setValue, pools }: NetworkFieldsProps) {
  const network = useWatch({ control, name: 'network' })
  return (
    <div className="space-y-6">
      <RadioField
        name="network"
        control={control}
        label={text.interfaceLabel}
        orientation="horizontal"
        options={CHOICES}
      />
      {network === 'create' && <CustomInterfaces project={project} control={control} />}
      {network !== 'none' && (
        <EphemeralIpFields control={control} setValue={setValue} pools={pools} />
      )}
      <FloatingIpFields project={project} control={control} />
    </div>
  )
}

const columns: readonly MiniTableColumn<InstanceNetworkInterfaceCreate>[] = [
  { header: common.nameLabel, cell: ({ name }) => name },
  { header: text.vpcLabel, cell: ({ vpcName }) => vpcName },
  { header: text.subnetLabel, cell: ({ subnetName }) => subnetName },
]

function CustomInterfaces({ project, control }: Pick<NetworkFieldsProps, 'project' | 'control'>) {
  const { field, fieldState } = useController({
    control,
    name: 'interfaces',
    rules: { validate: (items) => items.length > 0 || text.noInterfacesError },
  })
  const [isAdding, setAdding] = useState(false)
  const close = () => setAdding(false)
  const add = (one: InstanceNetworkInterfaceCreate) => {
    field.onChange([...field.value, one])
    close()
  }
  const isFull = field.value.length >= INTERFACES_MAX
  return (
    <div
      ref={(box) => field.ref(box && { focus: () => box.querySelector('button')?.focus() })}
      className="space-y-3"
    >
      <MiniTable
        aria-label={text.interfacesLabel}
        columns={columns}
        items={field.value}
        rowKey={({ name }) => name}
        onRemove={(_, index) => field.onChange(field.value.toSpliced(index, 1))}
        removeLabel={({ name }) => text.removeInterfaceLabel(name)}
      />
      <Button
        needs={null}
        variant="secondary"
        size="sm"
        disabledReason={isFull ? text.tooManyInterfacesError(INTERFACES_MAX) : undefined}
        onPress={() => setAdding(true)}
      >
        {text.addInterfaceLabel}
      </Button>
      <FieldMessage id="interfaces-error" message={fieldState.error?.message} />
      {isAdding && (
        <NetworkInterfaceForm
          project={project}
          vpc={field.value[0]?.vpcName}
          takenNames={field.value.map(({ name }) => name)}
          onSubmit={add}
          calls={null}
          onDismiss={close}
          onMissing={close}
          loading={false}
          submitError={null}
        />
      )}
    </div>
  )
}

function EphemeralIpFields({
  control,
  setValue,
  pools,
}: Pick<NetworkFieldsProps, 'control' | 'setValue' | 'pools'>) {
  const isWanted = useWatch({ control, name: 'ephemeral' })
  const standard = defaultPoolName(pools)
  return (
    <div role="group" aria-labelledby="ephemeral-ip" className="space-y-3">
      <h4 id="ephemeral-ip" className="flex items-center gap-1.5 text-sm font-medium">
        {text.ephemeralIpTitle}
        <TipIcon>{text.ephemeralIpHelp}</TipIcon>
      </h4>
      <CheckboxField
        name="ephemeral"
        control={control}
        label={text.ephemeralIpLabel}
        onChange={(isChecked) => isChecked && setValue('ephemeralPool', standard)}
      />
      {isWanted && (
        <ListboxField
          name="ephemeralPool"
          control={control}
          label={text.ephemeralPoolLabel}
          // Without a default pool there may be no option. Then the server's error says what is missing.
          required={standard !== ''}
          placeholder={standard ? text.defaultPoolPlaceholder(standard) : shared.poolPlaceholder}
          noOptions={shared.noPoolsText}
          options={ipPoolOptions(pools)}
        />
      )}
    </div>
  )
}
