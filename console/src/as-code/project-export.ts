import { call, callForOutcome } from '~/api/call'
import {
  affinityGroupCreate,
  affinityGroupList,
  antiAffinityGroupList,
  diskCreate,
  diskList,
  floatingIpList,
  imageList,
  imageView,
  instanceList,
  projectView,
  snapshotList,
  vpcList,
} from '~/api/generated/operations'
import type { Disk, DiskCreate, Instance } from '~/api/generated/types.gen'
import * as text from '~/messages/as-code-export'

import type { Call } from './call'
import { wholeList } from './list-reader'
import { Names } from './names'
import * as remake from './remake'
import { makeInstance } from './remake-instance'
import { removeDefaultVpc, vpcCalls } from './vpc-export'

/** A project as calls. */
export interface ProjectExport {
  /** Its name, which every call but the first has in its query. */
  project: string
  /** The calls that make it, in an order in which they succeed. Where an id of an image is expected, they have its name. */
  calls: Call[]
  /** What the calls do not make again, for people. */
  notes: string[]
}

/** Reads a project with everything in it. Rejects with an `ApiError` if something cannot be read. */
export async function exportProject(name: string): Promise<ProjectExport> {
  const query = { project: name }
  const names = new Names()
  const project = await call(projectView, { path: { project: name } })
  const [vpcs, floatingIps, disks, instances, antiAffinity, affinity, snapshots, images] =
    await Promise.all([
      wholeList(vpcList, { query }),
      wholeList(floatingIpList, { query }),
      wholeList(diskList, { query }),
      wholeList(instanceList, { query }),
      wholeList(antiAffinityGroupList, { query }),
      wholeList(affinityGroupList, { query }),
      wholeList(snapshotList, { query }),
      wholeList(imageList, { query }),
    ])
  const kept = await siloImageNames(disks)
  const diskBody = (disk: Disk) => bodyWithImageName(disk, kept)
  const networks = await Promise.all(vpcs.map((vpc) => vpcCalls(vpc, name, names)))
  const pools = await Promise.all(floatingIps.map(({ ipPoolId }) => names.pool(ipPoolId)))
  const made = await Promise.all(
    instances.map((instance) => makeInstance(instance, { project: name, names, diskBody })),
  )
  const isFree = ({ state }: Disk) => !('instance' in state)
  return {
    project: name,
    calls: [
      remake.makeProject(project),
      ...removeDefaultVpc(name),
      ...networks.flatMap(({ networks: before }) => before),
      ...floatingIps.map((ip, index) => remake.makeFloatingIp(ip, name, pools[index] ?? '')),
      ...antiAffinity.map((group) => remake.makeAntiAffinityGroup(group, name)),
      ...affinity.map(({ name: group, description, policy, failureDomain }) =>
        remake.callOf(affinityGroupCreate, {
          query,
          body: { name: group, description, policy, failureDomain },
        }),
      ),
      // Disks of instances are made with them.
      ...disks
        .filter(isFree)
        .map((disk) => remake.callOf(diskCreate, { query, body: diskBody(disk) })),
      ...made.flat(),
      // Routes may lead to instances.
      ...networks.flatMap(({ routes }) => routes),
    ],
    notes: [
      ...(disks.length > 0 ? [text.contentText] : []),
      ...blankNotes(disks, kept),
      ...(snapshots.length > 0 ? [text.snapshotsText(snapshots.map((each) => each.name))] : []),
      ...(images.length > 0 ? [text.imagesText(images.map((each) => each.name))] : []),
      ...(instances.length > 0 ? [text.userDataText] : []),
      ...(hasAddresses(floatingIps, instances) ? [text.addressesText] : []),
      text.accessText,
    ],
  }
}

const hasAddresses = (floatingIps: readonly unknown[], instances: readonly Instance[]) =>
  floatingIps.length > 0 || instances.length > 0

/** The names of the images of the silo that disks were made from, by their ids. Those of the project are not there in another one. */
async function siloImageNames(disks: readonly Disk[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(disks.flatMap(({ imageId }) => imageId ?? []))
  const images = await Promise.all(
    [...ids].map((image) => callForOutcome(imageView, { path: { image } })),
  )
  return new Map(
    images.flatMap((outcome) =>
      outcome.type === 'success' && !outcome.data.projectId
        ? [[outcome.data.id, outcome.data.name] as const]
        : [],
    ),
  )
}

/** A disk made from an image of the silo by its name, or an empty one. */
function bodyWithImageName(disk: Disk, kept: ReadonlyMap<string, string>): DiskCreate {
  const image = disk.imageId && kept.get(disk.imageId)
  return {
    ...remake.diskBody(disk),
    diskSource: image
      ? { type: 'image', imageId: image }
      : { type: 'blank', blockSize: disk.blockSize as 512 },
  }
}

/** Says which disks are empty although they began with something. */
function blankNotes(disks: readonly Disk[], kept: ReadonlyMap<string, string>): string[] {
  const blank = disks.filter(
    ({ imageId, snapshotId }) => snapshotId || (imageId && !kept.has(imageId)),
  )
  return blank.length > 0 ? [text.blankDisksText(blank.map(({ name }) => name))] : []
}
