import type { TraceStep } from '~/api/generated/types.gen'
import {
  firewallRuleEditPath,
  gatewayPath,
  newFirewallRulePath,
  routeEditPath,
  routerPath,
  subnetEditPath,
} from '~/resource/vpc-path'
import type { VpcParams } from '~/resource/vpc-path'

/** A way from a step to what it is about. */
export interface TraceLink {
  label: string
  href: string
}

/** What a step names, each with its own screen. */
export function linksOf(step: TraceStep, vpc: VpcParams): TraceLink[] {
  const { rule, route, gateway, subnet, interface: nic } = step
  const links: TraceLink[] = []
  const add = (kind: string, name: string, href: string) =>
    links.push({ label: `${kind} ${name}`, href })
  if (rule) add('Rule', rule.name, firewallRuleEditPath(vpc, rule.name))
  if (route) {
    add('Route', route.name, routeEditPath(vpc, route.router.name, route.name))
    add('Router', route.router.name, routerPath(vpc, route.router.name))
  }
  if (subnet) add('Subnet', subnet.name, subnetEditPath(vpc, subnet.name))
  if (gateway) add('Internet gateway', gateway.name, gatewayPath(vpc, gateway.name))
  if (nic?.instance) add('Instance', nic.instance.name, networkingPath(vpc, nic.instance.name))
  return links
}

const networkingPath = ({ project }: VpcParams, instance: string) =>
  `/projects/${project}/instances/${instance}/networking`

/** What a person would change so that the packet gets past the step that stopped it. */
export function remedyOf(step: TraceStep, vpc: VpcParams): TraceLink | undefined {
  const { kind, result, rule, route, gateway, interface: nic } = step
  if (result === 'passed') return undefined
  switch (kind) {
    case 'inbound_firewall':
    case 'outbound_firewall':
      return rule
        ? { label: 'Edit this rule', href: firewallRuleEditPath(vpc, rule.name) }
        : { label: 'Add a firewall rule', href: newFirewallRulePath(vpc) }
    case 'route':
      return route
        ? {
            label: 'Edit this route',
            href: routeEditPath(vpc, route.router.name, route.name),
          }
        : undefined
    case 'gateway':
    case 'nat':
      if (nic?.instance) {
        return {
          label: 'Attach an external IP to the instance',
          href: networkingPath(vpc, nic.instance.name),
        }
      }
      return gateway
        ? { label: 'Open this gateway', href: gatewayPath(vpc, gateway.name) }
        : undefined
    case 'source_check':
    case 'destination_check':
      return nic?.instance
        ? { label: 'Edit the interface', href: networkingPath(vpc, nic.instance.name) }
        : undefined
    case 'delivery':
      return undefined
  }
}
