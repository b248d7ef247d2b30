import type {
  DiskSource,
  ExternalIpCreate,
  Image,
  InstanceCreate,
  InstanceDiskAttachment,
  InstanceNetworkInterfaceAttachment,
  InstanceNetworkInterfaceCreate,
} from '~/api/generated/types.gen'
import { generateName } from '~/lib/generate-name'
import { GIB, roundUpToTenGib } from '~/lib/units'
import * as text from '~/messages/instance'

import { diskCreateBody } from './disk-form'
import type { DiskFormValues } from './disk-form'
import { findPreset } from './instance-hardware'
import type { HardwareFamilyId } from './instance-hardware'

/** Where the boot disk comes from: one tab of the form each. */
export type BootSource = 'silo-image' | 'project-image' | 'disk' | 'blank'

/** The fields that hold the chosen image of the two tabs that have one. */
export const IMAGE_FIELDS = { 'silo-image': 'siloImage', 'project-image': 'projectImage' } as const

/** Most bytes of user data that a guest can be given. */
export const USER_DATA_MAX = 32 * 1024

/** The interfaces that an instance is made with: none, one in the default VPC, or those given. */
export type NetworkChoice = InstanceNetworkInterfaceAttachment['type']

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
  /** Id of the silo's image to make the boot disk from. */
  siloImage: string
  /** Id of the project's image to make the boot disk from. */
  projectImage: string
  /** Size of a new boot disk, in GiB. */
  bootDiskSize: number
  /** Name of a new boot disk; empty = made up. */
  bootDiskName: string
  /** Name of an existing disk to boot from. */
  bootDisk: string
  disks: AdditionalDisk[]
  /** Ids of the person's own keys that the instance is given. */
  sshKeys: string[]
  /** Which interfaces the instance is made with. */
  network: NetworkChoice
  /** The interfaces of the choice `create`; the first becomes the primary one. */
  interfaces: InstanceNetworkInterfaceCreate[]
  /** Whether the instance gets an ephemeral address. */
  ephemeral: boolean
  /** Name of the pool that the ephemeral address comes from; empty = the silo's default. */
  ephemeralPool: string
  /** Names of floating IPs to attach. */
  floatingIps: string[]
  /** Names of anti-affinity groups to join. */
  groups: string[]
  /** Empty = the instance's name. */
  hostname: string
  /** What cloud-init reads at the first start. */
  userData: File | null
}

/** An image as far as a boot disk needs to know it. */
export type BootImage = Pick<Image, 'id' | 'name' | 'size'>

/** The form before anything was entered. */
export const INSTANCE_FORM_DEFAULTS: InstanceFormValues = {
  name: '',
  description: '',
  start: true,
  hardware: 'general',
  preset: 'general-2',
  ncpus: 2,
  memory: 8,
  bootSource: 'disk',
  siloImage: '',
  projectImage: '',
  bootDiskSize: 10,
  bootDiskName: '',
  bootDisk: '',
  disks: [],
  sshKeys: [],
  network: 'default',
  interfaces: [],
  ephemeral: true,
  ephemeralPool: '',
  floatingIps: [],
  groups: [],
  hostname: '',
  userData: null,
}

/** The tab to begin with, and the size of a boot disk made from the image that comes first. */
export function bootDefaults(
  siloImages: readonly BootImage[],
  projectImages: readonly BootImage[],
): Pick<InstanceFormValues, 'bootSource' | 'bootDiskSize'> {
  const [first] = [...siloImages, ...projectImages]
  if (!first) return { bootSource: 'disk', bootDiskSize: INSTANCE_FORM_DEFAULTS.bootDiskSize }
  return {
    bootSource: siloImages.length > 0 ? 'silo-image' : 'project-image',
    bootDiskSize: roundUpToTenGib(first.size / GIB),
  }
}

/** Size in GiB of a boot disk that was `size` when an image was chosen: raised to hold the image, never lowered. */
export function bootDiskSizeFor(image: Pick<Image, 'size'> | undefined, size: number): number {
  return image && image.size / GIB > size ? roundUpToTenGib(image.size / GIB) : size
}

/** The image that the tab in sight has chosen; none in a tab without images. */
export function chosenImage<I extends BootImage>(
  values: Pick<InstanceFormValues, 'bootSource' | 'siloImage' | 'projectImage'>,
  images: readonly I[],
): I | undefined {
  if (values.bootSource !== 'silo-image' && values.bootSource !== 'project-image') return undefined
  const id = values[IMAGE_FIELDS[values.bootSource]]
  return images.find((image) => image.id === id)
}

/** Why a file cannot be user data, if it cannot. */
export function validateUserData(file: Pick<File, 'size'> | null): string | undefined {
  return file && file.size > USER_DATA_MAX ? text.userDataError : undefined
}

/** What the body of `instanceCreate` needs beside the values of the form. */
export interface InstanceFormContext {
  /** The images that were offered. */
  images: readonly BootImage[]
  /** The user data's bytes in base64. */
  userData?: string
}

/** The body of `instanceCreate`. */
export function instanceCreateBody(
  values: InstanceFormValues,
  { images, userData }: InstanceFormContext,
): InstanceCreate {
  const { name, description, start, hostname, disks, sshKeys } = values
  return {
    name,
    description,
    start,
    hostname: hostname || name,
    ...hardware(values),
    bootDisk: bootDisk(values, chosenImage(values, images)),
    disks: disks.map(additionalDisk),
    sshPublicKeys: sshKeys,
    networkInterfaces: networkInterfaces(values),
    externalIps: externalIps(values),
    antiAffinityGroups: values.groups,
    ...(userData !== undefined && { userData }),
  }
}

function networkInterfaces({
  network,
  interfaces,
}: InstanceFormValues): InstanceNetworkInterfaceAttachment {
  return network === 'create' ? { type: network, params: interfaces } : { type: network }
}

function externalIps({
  network,
  ephemeral,
  ephemeralPool,
  floatingIps,
}: InstanceFormValues): ExternalIpCreate[] {
  const pool = ephemeralPool ? { pool: ephemeralPool } : {}
  return [
    ...(ephemeral && network !== 'none' ? [{ type: 'ephemeral' as const, ...pool }] : []),
    ...floatingIps.map((floatingIp) => ({ type: 'floating' as const, floatingIp })),
  ]
}

function hardware(values: InstanceFormValues) {
  const custom = { ncpus: values.ncpus, memory: values.memory }
  const { ncpus, memory } =
    (values.hardware === 'custom' ? undefined : findPreset(values.preset)) ?? custom
  return { ncpus, memory: memory * GIB }
}

function bootDisk(
  values: InstanceFormValues,
  image: BootImage | undefined,
): InstanceDiskAttachment {
  if (values.bootSource === 'disk') return { type: 'attach', name: values.bootDisk }
  return {
    type: 'create',
    name: values.bootDiskName || generateName(values.name, image?.name ?? 'boot'),
    description: text.bootDiskText(values.name),
    size: values.bootDiskSize * GIB,
    diskSource: bootDiskSource(values),
  }
}

/** An image that has gone since it was chosen is asked for all the same, so that the server says so. */
function bootDiskSource(values: InstanceFormValues): DiskSource {
  if (values.bootSource !== 'silo-image' && values.bootSource !== 'project-image') {
    return { type: 'blank', blockSize: 4096 }
  }
  return { type: 'image', imageId: values[IMAGE_FIELDS[values.bootSource]] }
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
  const boot = bootSource && bootSource !== 'disk' && bootDiskName ? [bootDiskName] : []
  return [...existing.map((disk) => disk.name), ...disks.map((disk) => disk.name), ...boot]
}
