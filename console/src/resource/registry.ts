import type { Readers } from '~/api/live/affected'

import { SLEDS_PATH } from './system-paths'
import { IP_POOLS_PATH } from './system-paths'
import { firewallRulesPath, gatewaysPath, routersPath, subnetsPath } from './vpc-path'

/** The location of a resource. Names that the API path does not contain are empty. */
export interface ThingPlace {
  project: string
  vpc: string
  /** Name of the resource; empty if a request was about the list. */
  name: string
}

/** What the console knows about a kind of resource: the operations that read it, and its screen. */
interface Kind extends Readers {
  screen?: {
    /** Prefix of its API paths. The name follows. */
    api: string
    /** Its parent, unless it is directly in the silo. The path of the screen needs the parent's name. */
    within?: 'project' | 'vpc' | 'system'
    path: (place: ThingPlace) => string
  }
}

const USAGE = ['utilizationView', 'siloUtilizationView', 'siloUtilizationList'] as const
const NAT = ['instanceExternalIpList', 'ipPoolUtilizationView'] as const
const POOLS_OF_SILOS = ['projectIpPoolList', 'projectIpPoolView', 'siloIpPoolList'] as const
/** The person's permissions, which also depend on their groups. */
const RIGHTS = ['currentUserPermissionsView', 'currentUserProjectList'] as const
const PEOPLE = ['userList', 'siloUserList', 'currentUserGroups'] as const

/** Every kind of resource, by its name in the server's events. Register new resources here. */
export const KINDS: Partial<Record<string, Kind>> = {
  project: {
    screen: {
      api: '/v1/projects',
      path: ({ name }) => (name ? `/projects/${name}/instances` : '/projects'),
    },
    one: ['projectView'],
    many: ['projectList', 'currentUserProjectList'],
  },
  instance: {
    screen: {
      api: '/v1/instances',
      within: 'project',
      path: ({ project, name }) => `/projects/${project}/instances${name && `/${name}/storage`}`,
    },
    one: ['instanceView'],
    many: [
      'instanceList',
      'instanceSearch',
      'affinityGroupMemberList',
      'antiAffinityGroupMemberList',
      'sledInstanceList',
      'instanceActivityList',
      ...USAGE,
    ],
  },
  batch: { one: ['batchView', 'batchItemList'], many: ['batchList'] },
  instance_activity: { many: ['instanceActivityList'] },
  disk: {
    screen: {
      api: '/v1/disks',
      within: 'project',
      path: ({ project, name }) => `/projects/${project}/disks${name && `/${name}`}`,
    },
    one: ['diskView'],
    many: ['diskList', 'diskSearch', 'instanceDiskList', ...USAGE],
  },
  snapshot: {
    screen: {
      api: '/v1/snapshots',
      within: 'project',
      path: ({ project, name }) => `/projects/${project}/snapshots${name && `/${name}`}`,
    },
    one: ['snapshotView'],
    // A disk shows that a snapshot of it is being created.
    many: [
      'snapshotList',
      'snapshotSearch',
      'diskView',
      'diskList',
      'diskSearch',
      'instanceDiskList',
      ...USAGE,
    ],
  },
  image: {
    screen: {
      api: '/v1/images',
      within: 'project',
      path: ({ project, name }) => `/projects/${project}/images${name && `/${name}`}`,
    },
    one: ['imageView'],
    many: ['imageList', 'imageSearch'],
  },
  floating_ip: {
    screen: {
      api: '/v1/floating-ips',
      within: 'project',
      path: ({ project }) => `/projects/${project}/floating-ips`,
    },
    one: ['floatingIpView'],
    many: ['floatingIpList', 'floatingIpSearch', ...NAT],
  },
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
    screen: {
      api: '/v1/anti-affinity-groups',
      within: 'project',
      path: ({ project, name }) => `/projects/${project}/affinity${name && `/${name}`}`,
    },
    one: ['antiAffinityGroupView'],
    many: ['antiAffinityGroupList', 'instanceAntiAffinityGroupList'],
  },
  anti_affinity_group_membership: {
    many: ['antiAffinityGroupMemberList', 'instanceAntiAffinityGroupList'],
  },
  vpc: {
    screen: {
      api: '/v1/vpcs',
      within: 'project',
      path: ({ project, name }) =>
        name ? firewallRulesPath({ project, vpc: name }) : `/projects/${project}/vpcs`,
    },
    one: ['vpcView'],
    many: ['vpcList', 'vpcSearch'],
  },
  vpc_subnet: {
    screen: { api: '/v1/vpc-subnets', within: 'vpc', path: subnetsPath },
    one: ['vpcSubnetView'],
    many: ['vpcSubnetList'],
  },
  vpc_router: {
    screen: { api: '/v1/vpc-routers', within: 'vpc', path: routersPath },
    one: ['vpcRouterView'],
    many: ['vpcRouterList'],
  },
  router_route: { one: ['vpcRouterRouteView'], many: ['vpcRouterRouteList'] },
  vpc_firewall: {
    screen: { api: '/v1/vpc-firewall-rules', within: 'vpc', path: firewallRulesPath },
    many: ['vpcFirewallRulesView'],
  },
  internet_gateway: {
    screen: { api: '/v1/internet-gateways', within: 'vpc', path: gatewaysPath },
    one: ['internetGatewayView'],
    many: ['internetGatewayList'],
  },
  internet_gateway_ip_pool: { many: ['internetGatewayIpPoolList'] },
  internet_gateway_ip_address: { many: ['internetGatewayIpAddressList'] },
  probe: { one: ['probeView'], many: ['probeList'] },
  silo: {
    screen: {
      api: '/v1/system/silos',
      within: 'system',
      path: ({ name }) => `/system/silos${name && `/${name}`}`,
    },
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
  ip_pool: {
    screen: {
      api: '/v1/system/ip-pools',
      within: 'system',
      path: ({ name }) => IP_POOLS_PATH + (name && `/${name}`),
    },
    one: ['ipPoolView'],
    many: ['ipPoolList', 'ipPoolServiceView', ...POOLS_OF_SILOS],
  },
  ip_pool_range: { many: ['ipPoolRangeList', 'ipPoolUtilizationView', 'ipPoolServiceRangeList'] },
  ip_pool_silo_link: { many: ['ipPoolSiloList', ...POOLS_OF_SILOS] },
  user_builtin: { one: ['userBuiltinView'], many: ['userBuiltinList'] },
  rack: { one: ['rackView'], many: ['rackList'] },
  sled: {
    screen: {
      api: '/v1/system/hardware/sleds',
      within: 'system',
      path: ({ name }) => SLEDS_PATH + (name && `/${name}/instances`),
    },
    one: ['sledView'],
    many: ['sledList', 'sledListUninitialized'],
  },
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
