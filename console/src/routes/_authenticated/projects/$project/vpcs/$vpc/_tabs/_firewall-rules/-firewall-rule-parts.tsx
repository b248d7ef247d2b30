import { useController, useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import * as text from '~/messages/firewall-rule-screens'
import { FirewallRuleEffect } from '~/resource/firewall-rule-effect'
import { MAX_PRIORITY } from '~/resource/firewall-rule-form'
import type { FirewallRuleValues } from '~/resource/firewall-rule-form'
import { ruleInWords } from '~/resource/firewall-rule-words'
import type { VpcParams } from '~/resource/vpc-path'
import { FieldSection } from '~/ui/form/field-section'
import { NumberField } from '~/ui/form/number-field'
import { Message } from '~/ui/message'

import { EndpointFields } from './-endpoint-fields'
import { PortFields } from './-port-fields'
import { ProtocolFields } from './-protocol-fields'

interface PartProps {
  control: Control<FirewallRuleValues>
  of: VpcParams
  /** The name of the rule that is changed; `undefined` for a new one. */
  changed: string | undefined
}

/** The lower half of the form: priority, targets, filters, a summary of the rule and what it would change. */
export const FirewallRuleParts = (props: PartProps) => (
  <>
    <Priority {...props} />
    <Targets {...props} />
    <Filters {...props} />
    <InWords {...props} />
    <FirewallRuleEffect {...props} />
  </>
)

function Priority({ control }: PartProps) {
  return (
    <NumberField
      name="priority"
      control={control}
      required
      max={MAX_PRIORITY}
      help={text.priorityHelp(MAX_PRIORITY)}
      validate={(priority) => (Number.isInteger(priority) ? undefined : text.priorityError)}
    />
  )
}

function Targets({ control, of }: PartProps) {
  const { field } = useController({ control, name: 'targets' })
  return (
    <FieldSection title={text.targetsTitle} description={text.targetsHelp}>
      <EndpointFields end="target" of={of} items={field.value} onChange={field.onChange} />
    </FieldSection>
  )
}

function Filters({ control, of }: PartProps) {
  const { field: ports } = useController({ control, name: 'ports' })
  const { field: protocols } = useController({ control, name: 'protocols' })
  const { field: hosts } = useController({ control, name: 'hosts' })
  return (
    <FieldSection title={text.filtersTitle}>
      <Message>{text.filtersHelp}</Message>
      <PortFields items={ports.value} onChange={ports.onChange} />
      <ProtocolFields items={protocols.value} onChange={protocols.onChange} />
      <FieldSection title={text.hostsTitle} description={text.hostsHelp}>
        <EndpointFields end="host" of={of} items={hosts.value} onChange={hosts.onChange} />
      </FieldSection>
    </FieldSection>
  )
}

/** Says what the rule will do. */
function InWords({ control }: PartProps) {
  const [enabled, action, direction, targets, hosts, ports, protocols] = useWatch({
    control,
    name: ['enabled', 'action', 'direction', 'targets', 'hosts', 'ports', 'protocols'],
  })
  const rule = { enabled, action, direction, targets, hosts, ports, protocols }
  return (
    <FieldSection title={text.summaryTitle}>
      <Message tone={targets.length > 0 ? 'info' : 'notice'}>{ruleInWords(rule)}</Message>
    </FieldSection>
  )
}
