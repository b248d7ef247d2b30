import { call, callForOutcome } from '~/api/call'
import {
  antiAffinityGroupView,
  currentUserSshKeyView,
  diskView,
  floatingIpView,
  imageView,
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
import type { Input, Operation, OperationData } from '~/api/operation'

import type { Call } from './call'
import { Names } from './names'
import * as remake from './remake'
import { makeInstance } from './remake-instance'
import type { CodeSubject } from './subject'

/** What exists, as calls. */
export interface Existing {
  /** The call that shows it, and those that would make it again. */
  calls: Call[]
  /** Its id, if Terraform can take it over by that. */
  id?: string
}

/** Reads something, and says how to make it again. */
async function read<Data extends OperationData, Response>(
  operation: Operation<Data, Response>,
  input: Input<Data>,
  make: (answer: Response, names: Names) => Call | Call[] | Promise<Call | Call[]>,
): Promise<Existing> {
  const answer = await call(operation, input)
  const made = await make(answer, new Names())
  return {
    calls: [remake.callOf(operation, input), ...(Array.isArray(made) ? made : [made])],
    ...(typeof answer === 'object' && answer && 'id' in answer && { id: String(answer.id) }),
  }
}

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
    default:
      return 'vpc' in subject ? inVpc(subject) : inProject(subject)
  }
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

function inVpc(subject: Subject<'vpc' | 'subnet' | 'router' | 'route' | 'internet-gateway'>) {
  const { project, vpc } = subject
  const of = { project, vpc }
  switch (subject.kind) {
    case 'vpc':
      return read(vpcView, { path: { vpc }, query: { project } }, async (answer) => {
        const { rules } = await call(vpcFirewallRulesView, { query: of })
        return [remake.makeVpc(answer, project), remake.makeFirewallRules(rules, of)]
      })
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
