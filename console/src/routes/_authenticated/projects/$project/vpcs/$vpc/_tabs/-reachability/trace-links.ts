import type { TraceStep } from '~/api/generated/types.gen'
import * as text from '~/messages/reachability-screens'
import {
  firewallRuleEditPath,
  gatewayPath,
  newFirewallRulePath,
  routeEditPath,
  routerPath,
  subnetEditPath,
} from '~/resource/vpc-path'
import type { VpcParams } from '~/resource/vpc-path'

/** A link from a step to a resource. */
export interface TraceLink {
  label: string
  href: string
}

/** Links to the resources that a step names. */
export function linksOf(step: TraceStep, vpc: VpcParams): TraceLink[] {
  const { rule, route, gateway, subnet, interface: nic } = step
  const links: TraceLink[] = []
  const add = (label: string, href: string) => links.push({ label, href })
  if (rule) add(text.ruleLinkLabel(rule.name), firewallRuleEditPath(vpc, rule.name))
  if (route) {
    add(text.routeLinkLabel(route.name), routeEditPath(vpc, route.router.name, route.name))
    add(text.routerLinkLabel(route.router.name), routerPath(vpc, route.router.name))
  }
  if (subnet) add(text.subnetLinkLabel(subnet.name), subnetEditPath(vpc, subnet.name))
  if (gateway) add(text.gatewayLinkLabel(gateway.name), gatewayPath(vpc, gateway.name))
  if (nic?.instance) {
    const { name } = nic.instance
    add(text.instanceLinkLabel(name), networkingPath(vpc, name))
  }
  return links
}

const networkingPath = ({ project }: VpcParams, instance: string) =>
  `/projects/${project}/instances/${instance}/networking`

/** The screen on which people can change what stopped the packet at a step. */
export function remedyOf(step: TraceStep, vpc: VpcParams): TraceLink | undefined {
  const { kind, result, rule, route, gateway, interface: nic } = step
  if (result === 'passed') return undefined
  switch (kind) {
    case 'inbound_firewall':
    case 'outbound_firewall':
      return rule
        ? { label: text.editRuleLabel, href: firewallRuleEditPath(vpc, rule.name) }
        : { label: text.addRuleLabel, href: newFirewallRulePath(vpc) }
    case 'route':
      return route
        ? {
            label: text.editRouteLabel,
            href: routeEditPath(vpc, route.router.name, route.name),
          }
        : undefined
    case 'gateway':
    case 'nat':
      if (nic?.instance) {
        return {
          label: text.attachIpLabel,
          href: networkingPath(vpc, nic.instance.name),
        }
      }
      return gateway
        ? { label: text.openGatewayLabel, href: gatewayPath(vpc, gateway.name) }
        : undefined
    case 'source_check':
    case 'destination_check':
      return nic?.instance
        ? { label: text.editInterfaceLabel, href: networkingPath(vpc, nic.instance.name) }
        : undefined
    case 'delivery':
      return undefined
  }
}
