import { accountView, signInSettingsUpdate, signInSettingsView } from '~/api/generated/operations'
import { planned } from '~/api/planned-call'
import { invalidate, useLoaded } from '~/api/query'
import { useSession } from '~/app/session'
import * as text from '~/messages/second-factor-rule'
import { CardBlock } from '~/ui/card-block'
import { confirm } from '~/ui/confirm'
import { Switch } from '~/ui/switch'
import { toast } from '~/ui/toast'

import { signInSettings } from './access-queries'

/** Shows whether the silo requires a second factor, with a switch to change it. */
export function SecondFactorRule() {
  const { requireSecondFactor } = useLoaded(signInSettings)
  const { siloName } = useSession().me
  return (
    <CardBlock
      title={text.ruleTitle}
      actions={
        <Switch
          label={text.ruleTitle}
          isSelected={requireSecondFactor}
          needs={signInSettingsUpdate}
          onChange={(isRequired) => askToRequire(isRequired, siloName)}
        />
      }
    >
      <p className="max-w-prose text-sm text-pretty text-fg-muted">
        {requireSecondFactor ? text.requiredHelp : text.optionalHelp}
      </p>
    </CardBlock>
  )
}

function askToRequire(isRequired: boolean, silo: string) {
  const change = planned(signInSettingsUpdate, { body: { requireSecondFactor: isRequired } })
  confirm({
    title: isRequired ? text.requireTitle : text.stopRequiringTitle,
    body: isRequired ? (
      <p>{text.requireQuestion(silo)}</p>
    ) : (
      <p>{text.stopRequiringQuestion(silo)}</p>
    ),
    tone: isRequired ? 'primary' : 'danger',
    confirmLabel: isRequired ? text.requireLabel : text.stopRequiringLabel,
    errorTitle: text.changeErrorTitle,
    calls: [change],
    action: async () => {
      await change.send()
      await invalidate(signInSettingsView, accountView)
      toast({
        content: isRequired ? text.requiredToast : text.notRequiredToast,
      })
    },
  })
}
