import { call, callForOutcome } from '~/api/call'
import {
  antiAffinityGroupView,
  currentUserSshKeyView,
  diskView,
  floatingIpView,
  imageView,
  instanceNetworkInterfaceView,
  instanceView,
  internetGatewayView,
  projectView,
  snapshotView,
  vpcFirewallRulesView,
  vpcRouterRouteView,
  vpcRouterView,
  vpcSubnetView,
  vpcView,
} from '~/api/generated/operations'

import { read } from './existing-read'
import type { Existing } from './existing-read'
import { inSystem } from './existing-system'
import * as remake from './remake'
import { makeInstance } from './remake-instance'
import type { CodeSubject } from './subject'

/** The calls of something that exists. Rejects with an `ApiError` if it cannot be read. */
export function existing(subject: CodeSubject): Promise<Existing> {
  switch (subject.kind) {
    case 'project':
      return read(projectView, { path: { project: subject.project } }, remake.makeProject)
    case 'ssh-key':
      return read(currentUserSshKeyView, { path: { sshKey: subject.name } }, remake.makeSshKey)
    case 'image':
      return read(imageView, { path: { image: subject.id } }, (image) =>
        // Nobody knows which snapshot it was made from.
        remake.makeImage(image, subject.project, '$SNAPSHOT_ID'),
      )
    case 'network-interface':
      return networkInterface(subject)
    case 'silo':
    case 'ip-pool':
    case 'alert-receiver':
    case 'identity-provider':
    case 'local-user':
    case 'support-bundle':
    case 'trust-root':
    case 'sled':
    case 'rack':
    case 'switch':
    case 'physical-disk':
    case 'release':
      return inSystem(subject)
    default:
      return 'vpc' in subject ? inVpc(subject) : inProject(subject)
  }
}

function networkInterface({ project, instance, name }: Subject<'network-interface'>) {
  const query = { project, instance }
  return read(
    instanceNetworkInterfaceView,
    { path: { interface: name }, query },
    async (nic, names) => {
      const [vpc, subnet] = await Promise.all([names.vpc(nic.vpcId), names.subnet(nic.subnetId)])
      return remake.makeNetworkInterface(nic, query, { vpc, subnet })
    },
  )
}

type Subject<Kind> = Extract<CodeSubject, { kind: Kind }>

function inProject({
  kind,
  project,
  name,
}: Subject<'disk' | 'snapshot' | 'floating-ip' | 'instance' | 'anti-affinity-group'>) {
  const query = { project }
  switch (kind) {
    case 'disk':
      return read(diskView, { path: { disk: name }, query }, (disk) =>
        remake.makeDisk(disk, project),
      )
    case 'snapshot':
      return read(snapshotView, { path: { snapshot: name }, query }, async (snapshot) => {
        const disk = await callForOutcome(diskView, { path: { disk: snapshot.diskId } })
        // The disk may be gone.
        const name = disk.type === 'success' ? disk.data.name : snapshot.diskId
        return remake.makeSnapshot(snapshot, project, name)
      })
    case 'floating-ip':
      return read(floatingIpView, { path: { floatingIp: name }, query }, async (ip, names) =>
        remake.makeFloatingIp(ip, project, await names.pool(ip.ipPoolId), ip.ip),
      )
    case 'anti-affinity-group':
      return read(antiAffinityGroupView, { path: { antiAffinityGroup: name }, query }, (group) =>
        remake.makeAntiAffinityGroup(group, project),
      )
    case 'instance':
      return read(instanceView, { path: { instance: name }, query }, (instance, names) =>
        makeInstance(instance, { project, names, diskBody: remake.diskBody }),
      )
  }
}

type VpcKind = 'vpc' | 'subnet' | 'router' | 'route' | 'internet-gateway' | 'firewall-rules'

function inVpc(subject: Subject<VpcKind>) {
  const { project, vpc } = subject
  const of = { project, vpc }
  switch (subject.kind) {
    case 'vpc':
      return read(vpcView, { path: { vpc }, query: { project } }, async (answer) => {
        const { rules } = await call(vpcFirewallRulesView, { query: of })
        return [remake.makeVpc(answer, project), remake.makeFirewallRules(rules, of)]
      })
    case 'firewall-rules':
      return read(vpcFirewallRulesView, { query: of }, ({ rules }) =>
        remake.makeFirewallRules(rules, of),
      )
    case 'subnet':
      return read(
        vpcSubnetView,
        { path: { subnet: subject.name }, query: of },
        async (subnet, names) => {
          const { customRouterId } = subnet
          const router = customRouterId ? await names.router(customRouterId) : undefined
          return remake.makeSubnet(subnet, of, router)
        },
      )
    case 'router':
      return read(vpcRouterView, { path: { router: subject.name }, query: of }, (router) =>
        // A VPC has its system router from the beginning, and that has its routes.
        router.kind === 'custom' ? remake.makeRouter(router, of) : [],
      )
    case 'route':
      return read(
        vpcRouterRouteView,
        { path: { route: subject.name }, query: { ...of, router: subject.router } },
        (route) => (route.kind === 'custom' ? remake.makeRoute(route, of, subject.router) : []),
      )
    case 'internet-gateway':
      return read(internetGatewayView, { path: { gateway: subject.name }, query: of }, (gateway) =>
        remake.makeGateway(gateway, of),
      )
  }
}
