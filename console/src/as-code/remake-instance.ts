import { call } from '~/api/call'
import {
  affinityGroupMemberInstanceAdd,
  currentUserSshKeyList,
  instanceAffinityGroupList,
  instanceAntiAffinityGroupList,
  instanceCreate,
  instanceDiskList,
  instanceExternalIpList,
  instanceNetworkInterfaceList,
  instanceNetworkInterfaceUpdate,
  instanceSshPublicKeyList,
  instanceStart,
} from '~/api/generated/operations'
import type {
  Disk,
  DiskCreate,
  ExternalIp,
  ExternalIpCreate,
  Instance,
  InstanceDiskAttachment,
  InstanceNetworkInterface,
  InstanceNetworkInterfaceCreate,
} from '~/api/generated/types.gen'
import { allItems } from '~/api/list'

import type { Call } from './call'
import type { Names } from './names'
import { callOf } from './remake'

/** States in which an instance is meant to run. */
const ON = new Set<string>([
  'creating',
  'starting',
  'running',
  'rebooting',
  'migrating',
  'repairing',
])

/** Where an instance is read, and how its disks are made. */
interface Remaking {
  project: string
  names: Names
  diskBody: (disk: Disk) => DiskCreate
}

/**
 * The calls that make an instance and its disks again. Its user data is not known, and of its SSH keys only those that are the person's own
 * can be given to a new instance.
 */
export async function makeInstance(
  instance: Instance,
  { project, names, diskBody }: Remaking,
): Promise<Call[]> {
  const path = { instance: instance.id }
  const whole = { path, query: { limit: allItems } }
  const [disks, interfaces, externalIps, groups, affinityGroups, keys, own] = await Promise.all([
    call(instanceDiskList, whole),
    call(instanceNetworkInterfaceList, { query: { instance: instance.id, limit: allItems } }),
    call(instanceExternalIpList, { path }),
    call(instanceAntiAffinityGroupList, whole),
    call(instanceAffinityGroupList, whole),
    call(instanceSshPublicKeyList, whole),
    call(currentUserSshKeyList, { query: { limit: allItems } }),
  ])
  const ownKeys = new Set(own.items.map(({ id }) => id))
  const isOn = ON.has(instance.runState)
  const later = [
    ...interfaces.items.flatMap((each) => transitCalls(each, instance.name, project)),
    ...affinityGroups.items.map(({ name }) =>
      callOf(affinityGroupMemberInstanceAdd, {
        path: { affinityGroup: name, instance: instance.name },
        query: { project },
      }),
    ),
  ]
  const attachment = (disk: Disk): InstanceDiskAttachment => ({ type: 'create', ...diskBody(disk) })
  const boot = disks.items.find(({ id }) => id === instance.bootDiskId)
  const { name, description, hostname, ncpus, memory, autoRestartPolicy } = instance
  const create = callOf(instanceCreate, {
    query: { project },
    body: {
      name,
      description,
      hostname,
      ncpus,
      memory,
      autoRestartPolicy: autoRestartPolicy ?? undefined,
      bootDisk: boot && attachment(boot),
      disks: disks.items.filter((disk) => disk !== boot).map(attachment),
      networkInterfaces:
        interfaces.items.length > 0
          ? { type: 'create', params: await interfaceBodies(interfaces.items, names) }
          : { type: 'none' },
      externalIps: await externalIpBodies(externalIps.items, names),
      antiAffinityGroups: groups.items.map((group) => group.name),
      sshPublicKeys: keys.items.filter(({ id }) => ownKeys.has(id)).map((key) => key.name),
      start: isOn && later.length === 0,
    },
  })
  const start = callOf(instanceStart, { path: { instance: name }, query: { project } })
  return [create, ...later, ...(isOn && later.length > 0 ? [start] : [])]
}

/** New interfaces like these. The first one is the primary one. */
const interfaceBodies = (
  interfaces: readonly InstanceNetworkInterface[],
  names: Names,
): Promise<InstanceNetworkInterfaceCreate[]> =>
  Promise.all(
    interfaces
      .toSorted((one, other) => Number(other.primary) - Number(one.primary))
      .map(async ({ name, description, ip, vpcId, subnetId }) => ({
        name,
        description,
        vpcName: await names.vpc(vpcId),
        subnetName: await names.subnet(subnetId),
        ip,
      })),
  )

/** The networks that an interface may send from are set when it exists. */
function transitCalls(
  { name, description, transitIps = [] }: InstanceNetworkInterface,
  instance: string,
  project: string,
): Call[] {
  if (transitIps.length === 0) return []
  return [
    callOf(instanceNetworkInterfaceUpdate, {
      path: { interface: name },
      query: { instance, project },
      body: { name, description, transitIps },
    }),
  ]
}

async function externalIpBodies(
  ips: readonly ExternalIp[],
  names: Names,
): Promise<ExternalIpCreate[]> {
  const bodies = ips.map(async (ip): Promise<ExternalIpCreate | null> => {
    if (ip.kind === 'floating') return { type: 'floating', floatingIp: ip.name }
    if (ip.kind === 'ephemeral') return { type: 'ephemeral', pool: await names.pool(ip.ipPoolId) }
    // A part of a shared address is given to every instance.
    return null
  })
  return (await Promise.all(bodies)).filter((body) => body !== null)
}
