import { BrickWallFire } from 'lucide-react'
import { useForm } from 'react-hook-form'

import { vpcFirewallRulesUpdate } from '~/api/generated/operations'
import type { VpcFirewallRule, VpcFirewallRuleUpdate } from '~/api/generated/types.gen'
import * as text from '~/messages/firewall-rule-screens'
import * as shared from '~/messages/project-screens'
import { ruleUpdate } from '~/resource/firewall-rule'
import { NAME_TAKEN } from '~/resource/firewall-rule-changes'
import { ruleBody } from '~/resource/firewall-rule-form'
import type { FirewallRuleValues } from '~/resource/firewall-rule-form'
import type { VpcParams } from '~/resource/vpc-path'
import { confirm } from '~/ui/confirm'
import { CheckboxField } from '~/ui/form/checkbox-field'
import { DescriptionField } from '~/ui/form/description-field'
import type { SubmitError } from '~/ui/form/form-shell'
import { NameField } from '~/ui/form/name-field'
import { RadioField } from '~/ui/form/radio-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { Message } from '~/ui/message'
import { onDemand } from '~/ui/on-demand'

/** The lower half of the form is loaded after the upper half, which people fill in first. */
const Parts = onDemand(async () => (await import('./-firewall-rule-parts')).FirewallRuleParts)
Parts.preload()

interface FirewallRuleFormProps {
  of: VpcParams
  /** The name of the rule that is changed; `undefined` for a new one. */
  changed?: string
  initial: FirewallRuleValues
  /** The other rules of the VPC, which are sent again. */
  others: readonly VpcFirewallRule[]
  onSubmit: (rule: VpcFirewallRuleUpdate) => void
  onDismiss: () => void
  loading: boolean
  submitError: SubmitError | null
}

/** The form of a firewall rule, to create one or to change one. */
export function FirewallRuleForm(props: FirewallRuleFormProps) {
  const { of, changed, initial, others, onSubmit, submitError, ...shell } = props
  const form = useForm<FirewallRuleValues>({ defaultValues: initial })
  const { control } = form
  const submitLabel = changed === undefined ? text.addRuleLabel : text.updateRuleLabel
  const submit = (values: FirewallRuleValues) => {
    const send = () => onSubmit(ruleBody(values))
    if (values.targets.length > 0) send()
    else confirmWithoutTargets(submitLabel, send)
  }
  const calls = (values: FirewallRuleValues) => {
    const rules = [...others.map(ruleUpdate), ruleBody(values)]
    return [{ operation: vpcFirewallRulesUpdate, input: { query: { ...of }, body: { rules } } }]
  }
  return (
    <SideModalForm
      needs={vpcFirewallRulesUpdate}
      {...shell}
      form={form}
      title={changed === undefined ? text.addRuleTitle : text.editRuleTitle}
      submitLabel={submitLabel}
      subject={changed === undefined ? undefined : { icon: BrickWallFire, name: changed }}
      onSubmit={submit}
      submitError={submitError}
      calls={calls}
    >
      <Message>{text.formText}</Message>
      <CheckboxField name="enabled" control={control} />
      <NameField
        name="name"
        control={control}
        validate={(name) => (others.some((rule) => rule.name === name) ? NAME_TAKEN : undefined)}
      />
      <DescriptionField name="description" control={control} />
      <RadioField
        name="action"
        control={control}
        orientation="horizontal"
        options={[
          { value: 'allow', label: shared.allowLabel },
          { value: 'deny', label: text.denyLabel },
        ]}
      />
      <RadioField
        name="direction"
        control={control}
        label={text.directionLabel}
        help={text.directionHelp}
        orientation="horizontal"
        options={[
          { value: 'inbound', label: text.inboundLabel },
          { value: 'outbound', label: text.outboundLabel },
        ]}
      />
      <Parts control={control} of={of} changed={changed} />
      {submitError && <p className="text-sm text-danger-text">{submitError.message}</p>}
    </SideModalForm>
  )
}

/** Asks before a rule without targets is saved, because that is rarely intended. */
function confirmWithoutTargets(confirmLabel: string, send: () => void) {
  confirm({
    title: text.noTargetsTitle,
    body: <p>{text.noTargetsQuestion}</p>,
    tone: 'primary',
    confirmLabel,
    errorTitle: text.saveFailedTitle,
    // The form shows the outcome. It stays open until the rule is saved.
    action: () => Promise.resolve(send()),
  })
}
