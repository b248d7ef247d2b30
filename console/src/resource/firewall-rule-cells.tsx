import { Children } from 'react'
import type { ReactNode } from 'react'

import type { VpcFirewallRule, VpcFirewallRuleProtocol } from '~/api/generated/types.gen'
import * as text from '~/messages/firewall-rule'
import { Badge } from '~/ui/badge'
import { ListPlus } from '~/ui/list-plus'
import { TypeValue } from '~/ui/type-value'

import { protocolText } from './firewall-rule'

/** Shows up to two items side by side. Of more items it shows the first, with the others in a tooltip. */
function ShortList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <ListPlus title={title} shown={Children.count(children) > 2 ? 1 : 2}>
      {children}
    </ListPlus>
  )
}

/** The targets of a rule. */
export function TargetsCell({ targets }: Pick<VpcFirewallRule, 'targets'>) {
  return (
    <ShortList title={text.otherTargetsTitle}>
      {targets.map(({ type, value }) => (
        <TypeValue key={`${type} ${value}`} type={type} value={value} />
      ))}
    </ShortList>
  )
}

/** The filters of a rule: hosts, then protocols, then ports. */
export function FiltersCell({ filters }: Pick<VpcFirewallRule, 'filters'>) {
  const { hosts, protocols, ports } = filters
  return (
    <ShortList title={text.otherFiltersTitle}>
      {[
        ...(hosts ?? []).map(({ type, value }) => (
          <TypeValue key={`host ${type} ${value}`} type={type} value={value} />
        )),
        ...(protocols ?? []).map((protocol) => (
          <ProtocolBadge key={`protocol ${protocolText(protocol)}`} protocol={protocol} />
        )),
        ...(ports ?? []).map((port) => (
          <TypeValue key={`port ${port}`} type={text.portTypeLabel} value={port} />
        )),
      ]}
    </ShortList>
  )
}

/** A protocol. For ICMP also the type and code, unless the rule matches all of them. */
export function ProtocolBadge({ protocol }: { protocol: VpcFirewallRuleProtocol }) {
  const messages = protocol.type === 'icmp' ? protocol.value : null
  return (
    <span className="inline-flex items-center gap-0.5">
      <Badge tone="neutral">{protocol.type.toUpperCase()}</Badge>
      {messages && (
        <Badge tone="neutral" solid>
          {text.icmpTypeLabel(messages.icmpType)}
          {messages.code && (
            <>
              <span aria-hidden="true" className="h-2.5 w-px bg-current opacity-40" />
              {text.icmpCodeLabel(messages.code)}
            </>
          )}
        </Badge>
      )}
    </span>
  )
}
