import * as text from '~/messages/as-code'

import type { WireCall } from './call'
import type { HclObject, HclValue } from './hcl'
import { isObject } from './secrets'
import type { Json } from './secrets'
import { TerraformFile } from './terraform-file'
import type { Place } from './terraform-file'
import { addDisk, addInstance } from './terraform-instance'

/** The fields of a body. */
type Body = Record<string, Json>

/** Adds what a call makes to a file, and gives its address. */
type Describe = (file: TerraformFile, body: Body, call: WireCall) => string

/** Fields whose arguments have their names. */
const all = (body: Body): HclObject => body as HclObject

/** How the provider describes what an operation makes. */
const CREATES: Readonly<Record<string, Describe>> = {
  projectCreate: simple('oxide_project'),
  currentUserSshKeyCreate: simple('oxide_ssh_key'),
  ipPoolCreate: simple('oxide_ip_pool'),
  siloCreate: simple('oxide_silo'),
  instanceCreate: (file, body, { query }) => addInstance(file, body, query.project),
  diskCreate: (file, body, { query }) => addDisk(file, body, query.project),
  snapshotCreate: inProject('oxide_snapshot', (file, { disk, ...body }, place) => ({
    ...all(body),
    disk_id: file.idOf('oxide_disk', disk, place),
  })),
  imageCreate: inProject('oxide_image', (_, { source, ...body }) => ({
    ...all(body),
    source_snapshot_id: isObject(source) ? (source.id as HclValue) : null,
  })),
  floatingIpCreate: inProject('oxide_floating_ip', (file, { pool, ...body }) => ({
    ...all(body),
    ip_pool_id: file.idOf('oxide_ip_pool', pool),
  })),
  // The provider has no argument for what members share: there is one kind of sled.
  antiAffinityGroupCreate: inProject(
    'oxide_anti_affinity_group',
    (_, { failure_domain: _domain, ...body }) => all(body),
  ),
  vpcCreate: inProject('oxide_vpc', (_, body) => all(body)),
  vpcSubnetCreate: inVpc('oxide_vpc_subnet', ({ custom_router: _router, ...body }) => all(body)),
  vpcRouterCreate: inVpc('oxide_vpc_router', all),
  internetGatewayCreate: inVpc('oxide_vpc_internet_gateway', all),
  vpcFirewallRulesUpdate: (file, body, { query }) =>
    file.resource({
      type: 'oxide_vpc_firewall_rules',
      name: query.vpc ?? '',
      values: { vpc_id: vpcId(file, query), rules: firewallRules(body.rules) },
    }),
  vpcRouterRouteCreate: (file, body, { query }) =>
    file.resource({
      type: 'oxide_vpc_router_route',
      name: nameOf(body),
      values: {
        vpc_router_id: file.idOf('oxide_vpc_router', query.router, vpcPlace(query)),
        ...all(body),
      },
    }),
}

/** Resources whose arguments an update changes, and the parameter that names the resource. */
const UPDATES: Readonly<Record<string, readonly [type: string, parameter: string]>> = {
  instanceUpdate: ['oxide_instance', 'instance'],
  projectUpdate: ['oxide_project', 'project'],
  vpcUpdate: ['oxide_vpc', 'vpc'],
  vpcSubnetUpdate: ['oxide_vpc_subnet', 'subnet'],
  vpcRouterUpdate: ['oxide_vpc_router', 'router'],
  vpcRouterRouteUpdate: ['oxide_vpc_router_route', 'route'],
  floatingIpUpdate: ['oxide_floating_ip', 'floating_ip'],
  antiAffinityGroupUpdate: ['oxide_anti_affinity_group', 'anti_affinity_group'],
  ipPoolUpdate: ['oxide_ip_pool', 'pool'],
}

/**
 * What calls make, as a file of Terraform. Calls that only read are not in it. `null` if the provider has no resource for the first of them;
 * what it lacks of the others is left out.
 *
 * @param imported the id of what the first of them would make, if that exists.
 */
export function terraform(calls: readonly WireCall[], imported?: string): string | null {
  const file = new TerraformFile()
  const made = calls.filter(({ method }) => method !== 'GET').map((call) => describe(file, call))
  const [first] = made
  if (!first) return null
  if (imported !== undefined) file.import(first, imported)
  return file.toString()
}

/** Adds what a call does to a file, and gives the address of the resource; `undefined` if the provider has none for it. */
export function describe(file: TerraformFile, call: WireCall): string | undefined {
  const body = isObject(call.body) ? call.body : {}
  const create = CREATES[call.name]
  if (create) return create(file, body, call)
  const update = UPDATES[call.name]
  return update && addUpdate(file, update, body, call)
}

/** Terraform describes states: an update changes arguments where the resource stands. */
function addUpdate(
  file: TerraformFile,
  [type, parameter]: readonly [string, string],
  { custom_router: _router, boot_disk: bootDisk, ...body }: Body,
  { path, query }: WireCall,
): string {
  return file.resource({
    type,
    name: path[parameter] ?? '',
    values: {
      ...all(body),
      boot_disk_id: file.idOf('oxide_disk', bootDisk, { project_name: query.project }),
    },
    comment: text.changeArgumentsText,
  })
}

const nameOf = ({ name }: Body): string => (typeof name === 'string' ? name : '')

const vpcPlace = ({ project, vpc }: WireCall['query']): Place => ({
  project_name: project,
  vpc_name: vpc,
})

const vpcId = (file: TerraformFile, { project, vpc }: WireCall['query']) =>
  file.idOf('oxide_vpc', vpc, { project_name: project })

/** A resource with the fields of the body. */
function simple(type: string): Describe {
  return (file, body) => file.resource({ type, name: nameOf(body), values: all(body) })
}

/** A resource with the id of its project. */
function inProject(
  type: string,
  values: (file: TerraformFile, body: Body, place: Place) => HclObject,
): Describe {
  return (file, body, { query: { project } }) => {
    const place: Place = { project_name: project }
    return file.resource({
      type,
      name: nameOf(body),
      place,
      values: { project_id: file.idOf('oxide_project', project), ...values(file, body, place) },
    })
  }
}

/** A resource with the id of its VPC. */
function inVpc(type: string, values: (body: Body) => HclObject): Describe {
  return (file, body, { query }) =>
    file.resource({
      type,
      name: nameOf(body),
      place: vpcPlace(query),
      values: { vpc_id: vpcId(file, query), ...values(body) },
    })
}

/** Rules by their names. */
function firewallRules(rules: Json | undefined): HclObject {
  const list = Array.isArray(rules) ? rules.filter(isObject) : []
  return Object.fromEntries(
    list.map(({ name, filters, ...rule }) => [
      String(name),
      { ...all(rule), filters: isObject(filters) ? ruleFilters(filters) : null },
    ]),
  )
}

/** Filters of a rule. The provider has what an ICMP message is beside the protocol. */
const ruleFilters = ({ protocols, ...filters }: Body): HclObject => ({
  ...all(filters),
  protocols: Array.isArray(protocols)
    ? protocols.filter(isObject).map(({ type, value }): HclObject => {
        const icmp = isObject(value) ? value : {}
        return {
          type: type as HclValue,
          icmp_type: icmp.icmp_type as HclValue,
          icmp_code: icmp.code as HclValue,
        }
      })
    : null,
})
