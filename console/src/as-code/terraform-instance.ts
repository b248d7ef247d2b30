import { Expression } from './hcl'
import type { HclObject, HclValue } from './hcl'
import { isObject } from './secrets'
import type { Json } from './secrets'
import type { Place, TerraformFile } from './terraform-file'

type Body = Record<string, Json>

/** The interface that the server makes when none is described. */
const DEFAULT_INTERFACE = {
  name: 'net0',
  description: '',
  vpc_name: 'default',
  subnet_name: 'default',
}

/** Adds a disk and gives its address. */
export function addDisk(
  file: TerraformFile,
  { type: _type, disk_source: source, ...body }: Body,
  project: string | undefined,
): string {
  const from = isObject(source) ? source : {}
  return file.resource({
    type: 'oxide_disk',
    name: String(body.name ?? ''),
    place: { project_name: project },
    values: {
      project_id: file.idOf('oxide_project', project),
      ...(body as HclObject),
      block_size: from.block_size as HclValue,
      source_image_id: file.idOf('oxide_image', from.image_id),
      source_snapshot_id: from.snapshot_id as HclValue,
    },
  })
}

/** Adds an instance, and the disks that are made with it. Gives its address. */
export function addInstance(file: TerraformFile, body: Body, project: string | undefined): string {
  const place: Place = { project_name: project }
  const projectId = file.idOf('oxide_project', project)
  const disk = (attachment: Json): HclValue => {
    if (!isObject(attachment)) return null
    return attachment.type === 'create'
      ? new Expression(`${addDisk(file, attachment, project)}.id`)
      : file.idOf('oxide_disk', attachment.name, place)
  }
  const bootDisk = disk(body.boot_disk ?? null)
  const disks = [bootDisk, ...list(body.disks).map(disk)]
  const values: HclObject = {
    project_id: projectId,
    name: body.name as HclValue,
    description: body.description as HclValue,
    host_name: body.hostname as HclValue,
    ncpus: body.ncpus as HclValue,
    memory: body.memory as HclValue,
    start_on_create: body.start as HclValue,
    auto_restart_policy: body.auto_restart_policy as HclValue,
    boot_disk_id: bootDisk,
    disk_attachments: optional(disks.filter((id) => id !== null)),
    network_interfaces: optional(interfaces(file, body.network_interfaces, place)),
    external_ips: optional(list(body.external_ips).map((ip) => externalIp(file, ip, place))),
    anti_affinity_groups: optional(
      list(body.anti_affinity_groups).map((group) =>
        file.idOf('oxide_anti_affinity_group', group, place),
      ),
    ),
    ssh_public_keys: optional(
      list(body.ssh_public_keys).map((key) => file.idOf('oxide_ssh_key', key)),
    ),
    user_data: body.user_data as HclValue,
  }
  return file.resource({ type: 'oxide_instance', name: String(body.name ?? ''), place, values })
}

const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])

/** An argument is left out rather than empty. */
const optional = (items: HclValue[]): HclValue => (items.length > 0 ? items : null)

function interfaces(file: TerraformFile, value: Json | undefined, place: Place): HclValue[] {
  if (!isObject(value) || value.type === 'none') return []
  const wanted = value.type === 'create' ? list(value.params).filter(isObject) : [DEFAULT_INTERFACE]
  return wanted.map(({ name, description, vpc_name: vpc, subnet_name: subnet, ...more }: Body) => ({
    name: name as HclValue,
    description: description as HclValue,
    vpc_id: file.idOf('oxide_vpc', vpc, place),
    subnet_id: file.idOf('oxide_vpc_subnet', subnet, { ...place, vpc_name: String(vpc) }),
    ip_address: more.ip as HclValue,
  }))
}

function externalIp(file: TerraformFile, ip: Json, place: Place): HclValue {
  if (!isObject(ip)) return null
  const id =
    ip.type === 'floating'
      ? file.idOf('oxide_floating_ip', ip.floating_ip, place)
      : file.idOf('oxide_ip_pool', ip.pool)
  return { type: ip.type as HclValue, id }
}
