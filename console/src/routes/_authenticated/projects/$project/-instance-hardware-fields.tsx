import { useController } from 'react-hook-form'
import type { Control, UseFormSetValue } from 'react-hook-form'

import type { Utilization } from '~/api/generated/types.gen'
import type { InstanceFormValues } from '~/resource/instance-form'
import { findPreset, firstPreset, HARDWARE_FAMILIES } from '~/resource/instance-hardware'
import type { HardwareFamilyId, HardwarePreset } from '~/resource/instance-hardware'
import { cpuQuotaProblem, memoryQuotaProblem } from '~/resource/instance-quota'
import { InstanceSizeFields } from '~/resource/instance-size-fields'
import { RadioCards } from '~/ui/form/radio-field'
import { Tabs } from '~/ui/tabs'

import { FormSection } from './-instance-form-section'

interface HardwareFieldsProps {
  control: Control<InstanceFormValues>
  setValue: UseFormSetValue<InstanceFormValues>
  /** What the silo uses of its quota; nothing where the person may not read it. */
  usage: Utilization | null
}

/** How many vCPUs and how much memory: presets in tabs, or numbers of one's own. */
export function HardwareFields({ control, setValue, usage }: HardwareFieldsProps) {
  const { field } = useController({ control, name: 'hardware' })
  const choose = (family: HardwareFamilyId) => {
    field.onChange(family)
    const preset = firstPreset(family)
    if (preset) setValue('preset', preset.id, { shouldDirty: true })
  }
  return (
    <FormSection
      title="Hardware"
      hint="You can change vCPUs and memory later, while the instance is stopped."
    >
      <Tabs
        label="Hardware"
        selected={field.value}
        onSelect={(id) => choose(id as HardwareFamilyId)}
        items={HARDWARE_FAMILIES.map(({ id, label, presets }) => ({
          id,
          label,
          content:
            id === 'custom' ? (
              <CustomHardware control={control} usage={usage} />
            ) : (
              <RadioCards
                name="preset"
                control={control}
                label="Size"
                className="max-w-3xl!"
                options={presets.map((preset) => ({
                  value: preset.id,
                  label: <PresetLabel {...preset} />,
                }))}
                validate={(preset, values) => presetQuotaProblem(usageFor(values, usage), preset)}
              />
            ),
        }))}
      />
    </FormSection>
  )
}

function PresetLabel({ ncpus, memory }: HardwarePreset) {
  return (
    <>
      <span className="sr-only">
        {ncpus} CPU {memory} gibibytes RAM
      </span>
      <span aria-hidden="true" className="block font-medium">
        {ncpus} <span className="font-normal text-fg-muted">vCPUs</span>
      </span>
      <span aria-hidden="true" className="block font-medium">
        {memory} <span className="font-normal text-fg-muted">GiB RAM</span>
      </span>
    </>
  )
}

/** The quota matters to what is started at once. */
const usageFor = ({ start }: InstanceFormValues, usage: Utilization | null) =>
  start ? usage : undefined

function presetQuotaProblem(usage: Utilization | null | undefined, id: string): string | undefined {
  const preset = findPreset(id)
  if (!preset) return undefined
  return cpuQuotaProblem(usage, preset.ncpus) ?? memoryQuotaProblem(usage, preset.memory)
}

function CustomHardware({ control, usage }: Pick<HardwareFieldsProps, 'control' | 'usage'>) {
  return (
    <div className="space-y-4">
      <InstanceSizeFields
        control={control}
        cpuLabel="CPUs"
        usage={(values) => usageFor(values, usage)}
      />
    </div>
  )
}
