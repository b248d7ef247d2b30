import { useController } from 'react-hook-form'
import type { Control, UseFormSetValue } from 'react-hook-form'

import type { Utilization } from '~/api/generated/types.gen'
import * as common from '~/messages/common'
import * as text from '~/messages/instance-form-screens'
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
  /** The utilization of the silo; `null` if the user may not read it. */
  usage: Utilization | null
}

/** Number of vCPUs and memory size: presets in tabs, or custom values. */
export function HardwareFields({ control, setValue, usage }: HardwareFieldsProps) {
  const { field } = useController({ control, name: 'hardware' })
  const choose = (family: HardwareFamilyId) => {
    field.onChange(family)
    const preset = firstPreset(family)
    if (preset) setValue('preset', preset.id, { shouldDirty: true })
  }
  return (
    <FormSection title={text.hardwareTitle} hint={text.hardwareHelp}>
      <Tabs
        label={text.hardwareLabel}
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
                label={common.sizeLabel}
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
      <span className="sr-only">{text.presetLabel(ncpus, memory)}</span>
      <span aria-hidden="true" className="block font-medium">
        {text.presetCpusText(ncpus)}
      </span>
      <span aria-hidden="true" className="block font-medium">
        {text.presetMemoryText(memory)}
      </span>
    </>
  )
}

/** The quota applies only if the instance is started. */
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
        cpuLabel={text.cpuLabel}
        usage={(values) => usageFor(values, usage)}
      />
    </div>
  )
}
