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

/** The sources of the boot disk. Each has a tab in the form. */
export type BootSource = 'silo-image' | 'project-image' | 'disk' | 'blank'

/** The fields with the selected image, for the two tabs that have one. */
export const IMAGE_FIELDS = { 'silo-image': 'siloImage', 'project-image': 'projectImage' } as const

/** Maximum size of user data in bytes. */
export const USER_DATA_MAX = 32 * 1024

/** The network interfaces of a new instance: none, one in the default VPC, or the given ones. */
export type NetworkChoice = InstanceNetworkInterfaceAttachment['type']

/** An additional disk, which is created with the instance or attached to it. */
export type AdditionalDisk =
  | ({ type: 'create' } & DiskFormValues)
  | { type: 'attach'; name: string; /** GiB */ size: number }

/** The values of the form for a new instance. Each tab has its own fields, so that selections are kept when switching tabs. */
export interface InstanceFormValues {
  name: string
  description: string
  start: boolean
  hardware: HardwareFamilyId
  /** Id of the selected preset. Ignored while `hardware` is `custom`. */
  preset: string
  /** Custom vCPUs. */
  ncpus: number
  /** Custom memory, in GiB. */
  memory: number
  bootSource: BootSource
  /** Id of the silo image for the boot disk. */
  siloImage: string
  /** Id of the project image for the boot disk. */
  projectImage: string
  /** Size of a new boot disk, in GiB. */
  bootDiskSize: number
  /** Name of a new boot disk; generated if empty. */
  bootDiskName: string
  /** Name of an existing disk to boot from. */
  bootDisk: string
  disks: AdditionalDisk[]
  /** Ids of the person's SSH keys for the instance. */
  sshKeys: string[]
  /** Which network interfaces the instance gets. */
  network: NetworkChoice
  /** The network interfaces for the option `create`. The first one becomes the primary one. */
  interfaces: InstanceNetworkInterfaceCreate[]
  /** Whether the instance gets an ephemeral address. */
  ephemeral: boolean
  /** Name of the pool of the ephemeral address; empty for the silo's default. */
  ephemeralPool: string
  /** Names of floating IPs to attach. */
  floatingIps: string[]
  /** Names of anti-affinity groups to join. */
  groups: string[]
  /** The instance's name is used if empty. */
  hostname: string
  /** User data for cloud-init. */
  userData: File | null
}

/** The fields of an image that a boot disk needs. */
export type BootImage = Pick<Image, 'id' | 'name' | 'size'>

/** The initial values of the form. */
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

/**
 * The initial tab, and the boot disk size for the first image.
 *
 * @param wanted id of the image that is selected at first.
 */
export function bootDefaults(
  siloImages: readonly BootImage[],
  projectImages: readonly BootImage[],
  wanted?: unknown,
): Pick<InstanceFormValues, 'bootSource' | 'bootDiskSize'> & Partial<InstanceFormValues> {
  const images = [...siloImages, ...projectImages]
  const chosen = images.find(({ id }) => id === wanted)
  const first = chosen ?? images[0]
  if (!first) return { bootSource: 'disk', bootDiskSize: INSTANCE_FORM_DEFAULTS.bootDiskSize }
  const bootSource = siloImages.includes(first) ? 'silo-image' : 'project-image'
  return {
    bootSource,
    bootDiskSize: roundUpToTenGib(first.size / GIB),
    ...(chosen && { [IMAGE_FIELDS[bootSource]]: chosen.id }),
  }
}

/** Boot disk size in GiB after an image was selected. It is raised to fit the image, and never lowered. */
export function bootDiskSizeFor(image: Pick<Image, 'size'> | undefined, size: number): number {
  return image && image.size / GIB > size ? roundUpToTenGib(image.size / GIB) : size
}

/** The image selected in the visible tab; `undefined` in a tab without images. */
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

/** The data that the body of `instanceCreate` needs in addition to the form values. */
export interface InstanceFormContext {
  /** The images offered by the form. */
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

/** An image that was deleted after its selection is sent anyway, so that the server returns the error. */
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

/** Names that a new disk cannot have: those of disks in the project and of other disks in the form. */
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
