import type { InstanceCreate, InstanceDiskAttachment } from '~/api/generated/types.gen'
import { generateName } from '~/lib/generate-name'
import { GIB } from '~/lib/units'

import { diskCreateBody } from './disk-form'
import type { DiskFormValues } from './disk-form'
import { findPreset } from './instance-hardware'
import type { HardwareFamilyId } from './instance-hardware'

/** Where the boot disk comes from: one tab of the form each. */
export type BootSource = 'blank' | 'disk'

/** A disk beside the boot disk, made with the instance or attached to it. */
export type AdditionalDisk =
  | ({ type: 'create' } & DiskFormValues)
  | { type: 'attach'; name: string; /** GiB */ size: number }

/** What a person enters to make an instance. Every tab keeps its own fields, so that going back finds what was chosen. */
export interface InstanceFormValues {
  name: string
  description: string
  start: boolean
  hardware: HardwareFamilyId
  /** Id of the chosen preset; without meaning while `hardware` is `custom`. */
  preset: string
  /** Custom vCPUs. */
  ncpus: number
  /** Custom memory, in GiB. */
  memory: number
  bootSource: BootSource
  /** Size of a new boot disk, in GiB. */
  bootDiskSize: number
  /** Name of a new boot disk; empty = made up. */
  bootDiskName: string
  /** Name of an existing disk to boot from. */
  bootDisk: string
  disks: AdditionalDisk[]
  /** Ids of the person's own keys that the instance is given. */
  sshKeys: string[]
  /** Empty = the instance's name. */
  hostname: string
}

/** The form before anything was entered. */
export const INSTANCE_FORM_DEFAULTS: InstanceFormValues = {
  name: '',
  description: '',
  start: true,
  hardware: 'general',
  preset: 'general-2',
  ncpus: 2,
  memory: 8,
  bootSource: 'blank',
  bootDiskSize: 10,
  bootDiskName: '',
  bootDisk: '',
  disks: [],
  sshKeys: [],
  hostname: '',
}

/** The body of `instanceCreate`. */
export function instanceCreateBody(values: InstanceFormValues): InstanceCreate {
  const { name, description, start, hostname, disks, sshKeys } = values
  return {
    name,
    description,
    start,
    hostname: hostname || name,
    ...hardware(values),
    bootDisk: bootDisk(values),
    disks: disks.map(additionalDisk),
    sshPublicKeys: sshKeys,
    // This version has no networks to join.
    networkInterfaces: { type: 'none' },
    externalIps: [],
  }
}

function hardware(values: InstanceFormValues) {
  const custom = { ncpus: values.ncpus, memory: values.memory }
  const { ncpus, memory } =
    (values.hardware === 'custom' ? undefined : findPreset(values.preset)) ?? custom
  return { ncpus, memory: memory * GIB }
}

function bootDisk(values: InstanceFormValues): InstanceDiskAttachment {
  switch (values.bootSource) {
    case 'disk':
      return { type: 'attach', name: values.bootDisk }
    case 'blank':
      return {
        type: 'create',
        name: values.bootDiskName || generateName(values.name, 'boot'),
        description: `Created as a boot disk for ${values.name}`,
        size: values.bootDiskSize * GIB,
        diskSource: { type: 'blank', blockSize: 4096 },
      }
  }
}

function additionalDisk(disk: AdditionalDisk): InstanceDiskAttachment {
  if (disk.type === 'attach') return { type: 'attach', name: disk.name }
  return { type: 'create', ...diskCreateBody(disk) }
}

/** Names that a disk made with the instance may not have: the project's, and those of the other disks of the form. */
export function takenDiskNames(
  existing: readonly { name: string }[],
  {
    disks,
    bootSource,
    bootDiskName,
  }: Pick<InstanceFormValues, 'disks'> &
    Partial<Pick<InstanceFormValues, 'bootSource' | 'bootDiskName'>>,
): string[] {
  const boot = bootSource === 'blank' && bootDiskName ? [bootDiskName] : []
  return [...existing.map((disk) => disk.name), ...disks.map((disk) => disk.name), ...boot]
}
