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
          ? 'Users who sign in with a password must set up a second factor before they can continue, and cannot remove their last one. Existing sessions and access tokens are not affected.'
          : 'Second factors are optional. Users who have one are always asked for it.'}
      </p>
    </CardBlock>
  )
}

function askToRequire(isRequired: boolean, silo: string) {
  confirm({
    title: isRequired
      ? 'Confirm require a second factor'
      : 'Confirm stop requiring a second factor',
    body: isRequired ? (
      <p>
        Users in silo <b>{silo}</b> who sign in with a password and have no second factor must set
        one up at the next sign-in. Open sessions are not affected.
      </p>
    ) : (
      <p>
        Users in silo <b>{silo}</b> without a second factor can sign in with the password alone, and
        users can remove their second factors.
      </p>
    ),
    tone: isRequired ? 'primary' : 'danger',
    confirmLabel: isRequired ? 'Require' : 'Stop requiring',
    errorTitle: 'Could not change the requirement',
    action: async () => {
      await call(signInSettingsUpdate, { body: { requireSecondFactor: isRequired } })
      await invalidate(signInSettingsView, accountView)
      toast({
        content: isRequired
          ? 'A second factor is now required'
          : 'A second factor is no longer required',
      })
    },
  })
}
