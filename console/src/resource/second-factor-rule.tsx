import { call } from '~/api/call'
import { accountView, signInSettingsUpdate, signInSettingsView } from '~/api/generated/operations'
import { invalidate, useLoaded } from '~/api/query'
import { useSession } from '~/app/session'
import { CardBlock } from '~/ui/card-block'
import { confirm } from '~/ui/confirm'
import { Switch } from '~/ui/switch'
import { toast } from '~/ui/toast'

import { signInSettings } from './access-queries'

/** Whether everybody in the silo needs a second factor, and the switch for it. */
export function SecondFactorRule() {
  const { requireSecondFactor } = useLoaded(signInSettings)
  const { siloName } = useSession().me
  return (
    <CardBlock
      title="Require a second factor"
      actions={
        <Switch
          label="Require a second factor"
          isSelected={requireSecondFactor}
          needs={signInSettingsUpdate}
          onChange={(isRequired) => askToRequire(isRequired, siloName)}
        />
      }
    >
      <p className="max-w-prose text-sm text-pretty text-fg-muted">
        {requireSecondFactor
          ? 'Whoever signs in with a password and has no second factor sets one up before anything else, and nobody can remove their last one. Sessions and access tokens that were there before go on until they end.'
          : 'Each person decides whether there is a second factor for signing in. Those who have one are asked for it in any case.'}
      </p>
    </CardBlock>
  )
}

function askToRequire(isRequired: boolean, silo: string) {
  confirm({
    title: isRequired ? 'Confirm require a second factor' : 'Confirm no longer require one',
    body: isRequired ? (
      <p>
        Everybody in silo <b>{silo}</b> who signs in with a password and has no second factor has to
        set one up at the next sign-in. Sessions that are open go on until they end.
      </p>
    ) : (
      <p>
        In silo <b>{silo}</b> the password alone is enough again for everybody who has no second
        factor, and people can remove the one they have.
      </p>
    ),
    tone: isRequired ? 'primary' : 'danger',
    confirmLabel: isRequired ? 'Require' : 'No longer require',
    errorTitle: 'Could not change it',
    action: async () => {
      await call(signInSettingsUpdate, { body: { requireSecondFactor: isRequired } })
      await invalidate(signInSettingsView, accountView)
      toast({
        content: isRequired
          ? 'A second factor is required from now on'
          : 'A second factor is no longer required',
      })
    },
  })
}
