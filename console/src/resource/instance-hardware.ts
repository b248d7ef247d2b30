import * as text from '~/messages/instance'

/** Maximum number of vCPUs of one instance. */
export const CPU_MAX = 64
/** Minimum memory of one instance, in GiB. */
export const MEMORY_MIN = 1
/** Maximum memory of one instance, in GiB. */
export const MEMORY_MAX = 1536

/** A predefined instance size. */
export interface HardwarePreset {
  id: string
  ncpus: number
  /** GiB */
  memory: number
}

/** A tab of presets. */
export interface HardwareFamily {
  id: HardwareFamilyId
  label: string
  presets: readonly HardwarePreset[]
}

/** The families of presets, and `custom` for a custom size. */
export type HardwareFamilyId = 'general' | 'high-cpu' | 'high-memory' | 'custom'

const presets = (family: string, memoryPerCpu: number, cpus: readonly number[]) =>
  cpus.map((ncpus) => ({ id: `${family}-${ncpus}`, ncpus, memory: ncpus * memoryPerCpu }))

/** The tabs of the hardware section in the order in which they are shown. */
export const HARDWARE_FAMILIES: readonly HardwareFamily[] = [
  { id: 'general', label: text.generalPurposeLabel, presets: presets('general', 4, [2, 4, 8, 16]) },
  { id: 'high-cpu', label: text.highCpuLabel, presets: presets('high-cpu', 2, [2, 4, 8, 16]) },
  {
    id: 'high-memory',
    label: text.highMemoryLabel,
    presets: presets('high-memory', 8, [2, 4, 8, 16]),
  },
  { id: 'custom', label: text.customSizeLabel, presets: [] },
]

/** The preset that a tab selects when it is opened; `undefined` for `custom`. */
export function firstPreset(family: HardwareFamilyId): HardwarePreset | undefined {
  return HARDWARE_FAMILIES.find(({ id }) => id === family)?.presets[0]
}

/** The preset with this id. */
export function findPreset(id: string): HardwarePreset | undefined {
  return HARDWARE_FAMILIES.flatMap((family) => family.presets).find((preset) => preset.id === id)
}

const isMissing = (value: number | null | undefined): value is null | undefined =>
  value === null || value === undefined || Number.isNaN(value)

/** What is wrong with a number of vCPUs, or `undefined`. */
export function cpuProblem(ncpus: number | null | undefined): string | undefined {
  if (isMissing(ncpus)) return text.cpuRequiredError
  if (ncpus < 1) return text.cpuMinError
  return ncpus > CPU_MAX ? text.cpuMaxError(CPU_MAX) : undefined
}

/** What is wrong with an amount of memory in GiB, or `undefined`. */
export function memoryProblem(gib: number | null | undefined): string | undefined {
  if (isMissing(gib)) return text.memoryRequiredError
  if (gib < MEMORY_MIN) return text.memoryMinError(MEMORY_MIN)
  return gib > MEMORY_MAX ? text.memoryMaxError(MEMORY_MAX) : undefined
}
