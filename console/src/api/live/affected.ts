import type { Query, QueryClient } from '@tanstack/react-query'

import type * as operations from '../generated/operations'
import type { Change } from './message'

type OperationName = keyof typeof operations

/** The operations whose answers change with things of a kind. */
interface Readers {
  /** Those that show one of them, which a change of another does not concern. */
  one?: readonly OperationName[]
  /** All others. */
  many: readonly OperationName[]
}

const USAGE = ['utilizationView', 'siloUtilizationView', 'siloUtilizationList'] as const
const NAT = ['instanceExternalIpList', 'ipPoolUtilizationView'] as const
const POOLS_OF_SILOS = ['projectIpPoolList', 'projectIpPoolView', 'siloIpPoolList'] as const
/** What the person may do and see; the person's groups bring rights with them. */
const RIGHTS = ['currentUserPermissionsView', 'currentUserProjectList'] as const
const PEOPLE = ['userList', 'siloUserList', 'currentUserGroups'] as const

/**
 * What shows each kind of thing. A kind that is not here has no screen that would show it; new ones of the server's are not here either, and
 * screens for them come with an entry.
 */
const READERS: Partial<Record<string, Readers>> = {
  project: { one: ['projectView'], many: ['projectList', 'currentUserProjectList'] },
  instance: {
    one: ['instanceView'],
    many: [
      'instanceList',
      'affinityGroupMemberList',
      'antiAffinityGroupMemberList',
      'sledInstanceList',
      'instanceActivityList',
      ...USAGE,
    ],
  },
  instance_activity: { many: ['instanceActivityList'] },
  disk: { one: ['diskView'], many: ['diskList', 'instanceDiskList', ...USAGE] },
  snapshot: {
    one: ['snapshotView'],
    // A disk shows that a snapshot of it is being taken.
    many: ['snapshotList', 'diskView', 'diskList', 'instanceDiskList', ...USAGE],
  },
  image: { one: ['imageView'], many: ['imageList'] },
  floating_ip: { one: ['floatingIpView'], many: ['floatingIpList', ...NAT] },
  instance_address: { many: NAT },
  network_interface: {
    one: ['instanceNetworkInterfaceView'],
    many: ['instanceNetworkInterfaceList', 'vpcSubnetListNetworkInterfaces', ...NAT],
  },
  affinity_group: {
    one: ['affinityGroupView'],
    many: ['affinityGroupList', 'instanceAffinityGroupList'],
  },
  affinity_group_membership: { many: ['affinityGroupMemberList', 'instanceAffinityGroupList'] },
  anti_affinity_group: {
    one: ['antiAffinityGroupView'],
    many: ['antiAffinityGroupList', 'instanceAntiAffinityGroupList'],
  },
  anti_affinity_group_membership: {
    many: ['antiAffinityGroupMemberList', 'instanceAntiAffinityGroupList'],
  },
  vpc: { one: ['vpcView'], many: ['vpcList'] },
  vpc_subnet: { one: ['vpcSubnetView'], many: ['vpcSubnetList'] },
  vpc_router: { one: ['vpcRouterView'], many: ['vpcRouterList'] },
  router_route: { one: ['vpcRouterRouteView'], many: ['vpcRouterRouteList'] },
  vpc_firewall: { many: ['vpcFirewallRulesView'] },
  internet_gateway: { one: ['internetGatewayView'], many: ['internetGatewayList'] },
  internet_gateway_ip_pool: { many: ['internetGatewayIpPoolList'] },
  internet_gateway_ip_address: { many: ['internetGatewayIpAddressList'] },
  probe: { one: ['probeView'], many: ['probeList'] },
  silo: {
    one: ['siloView', 'siloUtilizationView'],
    many: ['siloList', 'siloQuotasView', 'systemQuotasList', 'utilizationView', ...USAGE],
  },
  silo_user: { one: ['siloUserView', 'userView'], many: [...PEOPLE, 'currentUserView'] },
  silo_group: { one: ['groupView'], many: ['groupList', 'currentUserGroups'] },
  silo_group_membership: { many: ['groupList', ...PEOPLE, ...RIGHTS] },
  ssh_key: {
    one: ['currentUserSshKeyView'],
    many: ['currentUserSshKeyList', 'instanceSshPublicKeyList'],
  },
  access_token: { many: ['accountTokenList', 'currentUserAccessTokenList', 'userTokenList'] },
  auth_settings: { many: ['authSettingsView', 'signInSettingsView', 'accountView'] },
  role_assignment: {
    many: ['policyView', 'projectPolicyView', 'siloPolicyView', 'systemPolicyView', ...RIGHTS],
  },
  saml_identity_provider: {
    one: ['samlIdentityProviderView', 'samlIdentityProviderSettingsView'],
    many: ['siloIdentityProviderList'],
  },
  certificate: { one: ['certificateView'], many: ['certificateList'] },
  ip_pool: { one: ['ipPoolView'], many: ['ipPoolList', 'ipPoolServiceView', ...POOLS_OF_SILOS] },
  ip_pool_range: { many: ['ipPoolRangeList', 'ipPoolUtilizationView', 'ipPoolServiceRangeList'] },
  ip_pool_silo_link: { many: ['ipPoolSiloList', ...POOLS_OF_SILOS] },
  user_builtin: { one: ['userBuiltinView'], many: ['userBuiltinList'] },
  rack: { one: ['rackView'], many: ['rackList'] },
  sled: { one: ['sledView'], many: ['sledList', 'sledListUninitialized'] },
  uninitialized_sled: { many: ['sledListUninitialized'] },
  physical_disk: { one: ['physicalDiskView'], many: ['physicalDiskList', 'sledPhysicalDiskList'] },
  switch: { one: ['switchView'], many: ['switchList'] },
  alert_receiver: { one: ['alertReceiverView'], many: ['alertReceiverList'] },
  receiver_subscription: { many: ['alertReceiverView', 'alertReceiverList'] },
  webhook_secret: { many: ['alertReceiverView', 'alertReceiverList', 'webhookSecretsList'] },
  alert_delivery: { many: ['alertDeliveryList', 'alertDeliveryAttemptsView'] },
  support_bundle: { one: ['supportBundleView'], many: ['supportBundleList'] },
  tuf_trust_root: { many: ['systemUpdateTrustRootList'] },
  tuf_repository: { many: ['systemUpdateGetRepository'] },
  wanted_release: { many: ['targetReleaseView'] },
}

/** A cached call, as far as it matters here. */
type CachedCall = Pick<Query, 'queryKey' | 'state'>

/**
 * Tells which cached calls may answer otherwise after these changes. Where it is certain that a call shows another thing or another project, it
 * is left alone.
 */
export function affectedBy(
  changes: readonly Change[],
  client: QueryClient,
): (query: CachedCall) => boolean {
  const inOne = new Map<string, Change[]>()
  const inMany = new Map<string, Change[]>()
  for (const change of changes) {
    const { one = [], many = [] } = READERS[change.kind] ?? {}
    for (const name of one) put(inOne, name, change)
    for (const name of many) put(inMany, name, change)
  }
  const projectIds = changes.some(({ kind }) => kind === 'project')
    ? // A name may lead to another project by now.
      new Map<string, string>()
    : knownProjects(client)

  return ({ queryKey, state }) => {
    const name = String(queryKey[0])
    const shown = idOf(state.data)
    const concerns = (change: Change) => shown === undefined || shown === change.id
    if (inOne.get(name)?.some(concerns)) return true
    const changesOfParts = inMany.get(name)
    if (!changesOfParts) return false
    const project = projectOf(queryKey[1])
    const projectId = project && (projectIds.get(project) ?? '')
    return changesOfParts.some(
      (change) => !projectId || change.project === null || change.project === projectId,
    )
  }
}

function put(map: Map<string, Change[]>, name: string, change: Change) {
  const known = map.get(name)
  if (known) known.push(change)
  else map.set(name, [change])
}

const record = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const stringOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

const idOf = (data: unknown) => stringOf(record(data)['id'])

/** Name of the project that a call is about, if it names one. */
const projectOf = (params: unknown) => stringOf(record(record(params)['query'])['project'])

/** Ids of the projects whose pages were opened, by name. */
function knownProjects(client: QueryClient): Map<string, string> {
  const views = client.getQueriesData<{ id: string; name: string }>({ queryKey: ['projectView'] })
  return new Map(views.flatMap(([, data]) => (data?.id ? [[data.name, data.id]] : [])))
}
