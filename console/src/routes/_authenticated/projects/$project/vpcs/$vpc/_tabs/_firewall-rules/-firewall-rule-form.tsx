import { BrickWallFire } from 'lucide-react'
import { useForm } from 'react-hook-form'

import { vpcFirewallRulesUpdate } from '~/api/generated/operations'
import type { VpcFirewallRuleUpdate } from '~/api/generated/types.gen'
import { NAME_TAKEN } from '~/resource/firewall-rule-changes'
import { ruleBody } from '~/resource/firewall-rule-form'
import type { FirewallRuleValues } from '~/resource/firewall-rule-form'
import { NO_TARGETS } from '~/resource/firewall-rule-words'
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

/** The lower half comes a moment later than the upper one, which is what a person begins with. */
const Parts = onDemand(async () => (await import('./-firewall-rule-parts')).FirewallRuleParts)
Parts.preload()

interface FirewallRuleFormProps {
  of: VpcParams
  /** The name of the rule that is changed; nothing for a new one. */
  changed?: string
  initial: FirewallRuleValues
  /** Names of the other rules of the VPC. */
  takenNames: readonly string[]
  onSubmit: (rule: VpcFirewallRuleUpdate) => void
  onDismiss: () => void
  loading: boolean
  submitError: SubmitError | null
}

/** Asks for a firewall rule, a new one or in the place of another. */
export function FirewallRuleForm(props: FirewallRuleFormProps) {
  const { of, changed, initial, takenNames, onSubmit, submitError, ...shell } = props
  const form = useForm<FirewallRuleValues>({ defaultValues: initial })
  const { control } = form
  const submitLabel = changed === undefined ? 'Add rule' : 'Update rule'
  const submit = (values: FirewallRuleValues) => {
    const send = () => onSubmit(ruleBody(values))
    if (values.targets.length > 0) send()
    else confirmWithoutTargets(submitLabel, send)
  }
  return (
    <SideModalForm
      needs={vpcFirewallRulesUpdate}
      {...shell}
      form={form}
      title={changed === undefined ? 'Add firewall rule' : 'Edit rule'}
      submitLabel={submitLabel}
      subtitle={
        changed !== undefined && (
          <>
            <BrickWallFire aria-hidden="true" />
            {changed}
          </>
        )
      }
      onSubmit={submit}
      submitError={submitError}
    >
      <Message>
        Firewall rules decide which traffic reaches the instances of a VPC, and which leaves them.
        Read more in the <GuideLink operation="vpc_create">Networking</GuideLink> guide and the{' '}
        <GuideLink operation="vpc_firewall_rules_update">API docs</GuideLink>.
      </Message>
      <CheckboxField name="enabled" control={control} />
      <NameField
        name="name"
        control={control}
        validate={(name) => (takenNames.includes(name) ? NAME_TAKEN : undefined)}
      />
      <DescriptionField name="description" control={control} />
      <RadioField
        name="action"
        control={control}
        orientation="horizontal"
        options={[
          { value: 'allow', label: 'Allow' },
          { value: 'deny', label: 'Deny' },
        ]}
      />
      <RadioField
        name="direction"
        control={control}
        label="Direction of traffic"
        help="Inbound traffic goes to the targets. Outbound traffic comes from them."
        orientation="horizontal"
        options={[
          { value: 'inbound', label: 'Inbound' },
          { value: 'outbound', label: 'Outbound' },
        ]}
      />
      <Parts control={control} of={of} />
      {submitError && <p className="text-sm text-danger-text">{submitError.message}</p>}
    </SideModalForm>
  )
}

/** Asks before a rule is saved that is for nobody, which is rarely meant. */
function confirmWithoutTargets(confirmLabel: string, send: () => void) {
  confirm({
    title: 'Save a rule without targets?',
    body: <p>{NO_TARGETS} You can add targets later.</p>,
    tone: 'primary',
    confirmLabel,
    errorTitle: 'Could not save the rule',
    // What comes of it is told in the form, which stays open until the rule is saved.
    action: () => Promise.resolve(send()),
  })
}

/** A page about what the form asks for; the form stays open behind it. */
function GuideLink({ operation, children }: { operation: string; children: string }) {
  return (
    <a href={`/explorer?operation=${operation}`} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
