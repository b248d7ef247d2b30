import {
  antiAffinityGroupCreate,
  currentUserSshKeyCreate,
  diskCreate,
  floatingIpCreate,
  imageCreate,
  instanceNetworkInterfaceCreate,
  instanceNetworkInterfaceUpdate,
  internetGatewayCreate,
  projectCreate,
  snapshotCreate,
  vpcCreate,
  vpcFirewallRulesUpdate,
  vpcRouterCreate,
  vpcRouterRouteCreate,
  vpcSubnetCreate,
} from '~/api/generated/operations'
import type {
  AntiAffinityGroup,
  Disk,
  DiskCreate,
  FloatingIp,
  Image,
  InstanceNetworkInterface,
  InternetGateway,
  Project,
  RouterRoute,
  Snapshot,
  SshKey,
  Vpc,
  VpcFirewallRule,
  VpcRouter,
  VpcSubnet,
} from '~/api/generated/types.gen'
import type { Input, Operation, OperationData } from '~/api/operation'
import type { VpcParams } from '~/resource/vpc-path'

import type { Call } from './call'

// The calls that make again what exists, with names in the place of ids.

/** A call with the types of its operation. */
export const callOf = <Data extends OperationData, Response>(
  operation: Operation<Data, Response>,
  input: Input<Data>,
): Call => ({ operation, input })

export const makeProject = ({ name, description }: Project): Call =>
  callOf(projectCreate, { body: { name, description } })

export const makeSshKey = ({ name, description, publicKey }: SshKey): Call =>
  callOf(currentUserSshKeyCreate, { body: { name, description, publicKey } })

/** The fields of a new disk like this one: empty, or with the content that it began with. */
export const diskBody = ({
  name,
  description,
  size,
  blockSize,
  imageId,
  snapshotId,
}: Disk): DiskCreate => ({
  name,
  description,
  size,
  diskSource: snapshotId
    ? { type: 'snapshot', snapshotId }
    : imageId
      ? { type: 'image', imageId }
      : { type: 'blank', blockSize: blockSize as 512 },
})

export const makeDisk = (disk: Disk, project: string): Call =>
  callOf(diskCreate, { query: { project }, body: diskBody(disk) })

/** @param disk name or id of the disk that it is of. */
export const makeSnapshot = (
  { name, description }: Snapshot,
  project: string,
  disk: string,
): Call => callOf(snapshotCreate, { query: { project }, body: { name, description, disk } })

/** @param snapshot id of a snapshot with the content. */
export const makeImage = (
  { name, description, os, version }: Image,
  project: string | undefined,
  snapshot: string,
): Call =>
  callOf(imageCreate, {
    query: { project },
    body: { name, description, os, version, source: { type: 'snapshot', id: snapshot } },
  })

/** @param ip the address, where it has to be the same. */
export const makeFloatingIp = (
  { name, description }: FloatingIp,
  project: string,
  pool: string,
  ip?: string,
): Call =>
  callOf(floatingIpCreate, {
    query: { project },
    // The address says which pool it is of.
    body: ip === undefined ? { name, description, pool } : { name, description, ip },
  })

export const makeAntiAffinityGroup = (
  { name, description, policy, failureDomain }: AntiAffinityGroup,
  project: string,
): Call =>
  callOf(antiAffinityGroupCreate, {
    query: { project },
    body: { name, description, policy, failureDomain },
  })

export const makeVpc = ({ name, description, dnsName, ipv6Prefix }: Vpc, project: string): Call =>
  callOf(vpcCreate, { query: { project }, body: { name, description, dnsName, ipv6Prefix } })

/** @param customRouter the name of its router. */
export const makeSubnet = (
  { name, description, ipv4Block, ipv6Block }: VpcSubnet,
  of: VpcParams,
  customRouter?: string,
): Call =>
  callOf(vpcSubnetCreate, {
    query: { ...of },
    body: { name, description, ipv4Block, ipv6Block, customRouter },
  })

export const makeRouter = ({ name, description }: VpcRouter, of: VpcParams): Call =>
  callOf(vpcRouterCreate, { query: { ...of }, body: { name, description } })

export const makeRoute = (
  { name, description, destination, target }: RouterRoute,
  of: VpcParams,
  router: string,
): Call =>
  callOf(vpcRouterRouteCreate, {
    query: { ...of, router },
    body: { name, description, destination, target },
  })

export const makeGateway = ({ name, description }: InternetGateway, of: VpcParams): Call =>
  callOf(internetGatewayCreate, { query: { ...of }, body: { name, description } })

/** An interface, and its transit IPs, which only a change of it takes. */
export const makeNetworkInterface = (
  { name, description, ip, primary, transitIps = [] }: InstanceNetworkInterface,
  query: { project: string; instance: string },
  { vpc: vpcName, subnet: subnetName }: { vpc: string; subnet: string },
): Call[] => [
  callOf(instanceNetworkInterfaceCreate, {
    query,
    body: { name, description, vpcName, subnetName, ip },
  }),
  ...(transitIps.length === 0
    ? []
    : [
        callOf(instanceNetworkInterfaceUpdate, {
          path: { interface: name },
          query,
          body: { name, description, primary, transitIps },
        }),
      ]),
]

export const makeFirewallRules = (rules: readonly VpcFirewallRule[], of: VpcParams): Call =>
  callOf(vpcFirewallRulesUpdate, {
    query: { ...of },
    body: {
      rules: rules.map(
        ({ id: _, vpcId: _vpc, timeCreated: _c, timeModified: _m, ...rule }) => rule,
      ),
    },
  })
