import { createFileRoute } from '@tanstack/react-router'
import { Pencil, ShieldCheck, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'

import { call } from '~/api/call'
import type { ApiError } from '~/api/errors'
import {
  accountRecoveryCodesView,
  accountSecondFactorList,
  accountSecondFactorUpdate,
  accountView,
} from '~/api/generated/operations'
import type { SecondFactor, SecondFactorCreated } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import { useSession } from '~/app/session'
import { passkeyRefusal } from '~/lib/passkeys'
import {
  FACTOR_KINDS,
  offerSignIn,
  refreshSignIn,
  removeSecondFactor,
  renewRecoveryCodes,
} from '~/resource/second-factor-actions'
import { requiresRecentSignIn } from '~/resource/sign-in-again'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { CardBlock } from '~/ui/card-block'
import { DateTime } from '~/ui/date-time'
import { Message } from '~/ui/message'
import { onDemand } from '~/ui/on-demand'
import { PageHeader } from '~/ui/page-header'
import type { PageDocs } from '~/ui/page-header'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'
import { toast } from '~/ui/toast'

const ChangeOwnPassword = onDemand(
  async () => (await import('~/resource/own-password-change')).ChangeOwnPassword,
)
const AddSecondFactor = onDemand(
  async () => (await import('~/resource/second-factor-dialogs')).AddSecondFactor,
)
const RenameDialog = onDemand(async () => (await import('~/resource/rename-dialog')).RenameDialog)
const IssuedRecoveryCodes = onDemand(
  async () => (await import('~/resource/second-factor-dialogs')).IssuedRecoveryCodes,
)

const account = q(accountView, {})
const factors = q(accountSecondFactorList, { query: { limit: allItems } })
const recoveryCodes = q(accountRecoveryCodesView, {})

const docs: PageDocs = {
  heading: 'signing in',
  summary:
    'With a second factor, a guessed or stolen password is not enough to sign in. An authenticator app shows a code that changes every 30 seconds. A passkey is stored on a device or in a password manager and works only for this host name.',
  links: [
    {
      label: 'Second factors in the API explorer',
      href: '/explorer?operation=account_second_factor_list',
    },
  ],
}

export const Route = createFileRoute('/_authenticated/settings/sign-in')({
  // The loader comes with the screen: what it calls is of no use to any other.
  codeSplitGroupings: [['loader', 'component']],
  loader: async ({ context: { queryClient } }) => {
    const { hasPassword } = await load(queryClient, account)
    if (hasPassword)
      await Promise.all([load(queryClient, factors), load(queryClient, recoveryCodes)])
  },
  staticData: { crumb: { label: 'Sign-in' } },
  component: SignInPage,
})

function SignInPage() {
  const { hasPassword } = useLoaded(account)
  return (
    <div className="max-w-4xl">
      <PageHeader icon={<ShieldCheck />} title="Sign-in" docs={docs} />
      {hasPassword ? (
        <div className="space-y-6">
          <PasswordCard />
          <SecondFactorCards />
        </div>
      ) : (
        <Message>
          You sign in through your organization’s identity provider. Manage your password and second
          factors there.
        </Message>
      )}
    </div>
  )
}

function PasswordCard() {
  const [isChanging, setChanging] = useState(false)
  const close = useCallback(() => setChanging(false), [])
  return (
    <CardBlock
      title="Password"
      description="Changing it ends your other sessions and revokes your access tokens."
      actions={
        <Button
          needs={null}
          size="sm"
          variant="secondary"
          onHoverStart={ChangeOwnPassword.preload}
          onPress={() => setChanging(true)}
        >
          Change password
        </Button>
      }
    >
      {isChanging && <ChangeOwnPassword onDismiss={close} onMissing={close} />}
    </CardBlock>
  )
}

const columns: Column<SecondFactor>[] = [
  { id: 'name', header: 'name', isName: true, minWidth: 160, cell: ({ name }) => name },
  {
    id: 'kind',
    header: 'Kind',
    width: 160,
    isKey: true,
    cell: ({ kind }) => <Badge tone="neutral">{FACTOR_KINDS[kind]}</Badge>,
  },
  {
    id: 'created',
    header: 'created',
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
  {
    id: 'used',
    header: 'Last used',
    width: 180,
    cell: ({ timeLastUsed }) => (timeLastUsed ? <DateTime value={timeLastUsed} /> : 'Never'),
  },
]

type Open =
  | { type: 'add'; kind: SecondFactor['kind'] }
  | { type: 'rename'; factor: SecondFactor }
  | { type: 'codes'; codes: string[] }

function SecondFactorCards() {
  const { me } = useSession()
  const { secondFactorRequired } = useLoaded(account)
  const { items } = useLoaded(factors)
  const [open, setOpen] = useState<Open>()
  const close = useCallback(() => setOpen(undefined), [])
  const signInAgain = useCallback(
    (error: ApiError) => {
      setOpen(undefined)
      offerSignIn(error, me.siloName)
    },
    [me.siloName],
  )
  const isLast = items.length === 1
  const passkeysRefused = passkeyRefusal()

  const created = async ({ factor, recoveryCodes: codes }: SecondFactorCreated) => {
    setOpen(codes ? { type: 'codes', codes } : undefined)
    await refreshSignIn()
    toast({
      content: (
        <>
          Second factor <b>{factor.name}</b> added
        </>
      ),
    })
  }
  const rowActions = (factor: SecondFactor) => [
    {
      id: 'rename',
      label: 'Rename',
      icon: Pencil,
      needs: null,
      onAction: () => setOpen({ type: 'rename', factor }),
    },
    {
      id: 'remove',
      label: 'Remove',
      icon: Trash2,
      destructive: true,
      needs: null,
      disabledReason:
        isLast && secondFactorRequired
          ? 'Your silo requires a second factor. Add another one before you remove this one.'
          : undefined,
      onAction: () => removeSecondFactor(factor, { silo: me.siloName, isLast }),
    },
  ]

  return (
    <>
      <CardBlock
        title="Second factors"
        flush={items.length > 0}
        description={
          secondFactorRequired
            ? 'Requested after the password. Your silo requires one.'
            : 'Requested after the password, if you have one.'
        }
        actions={
          <>
            <Button
              needs={null}
              size="sm"
              variant="secondary"
              onHoverStart={AddSecondFactor.preload}
              onPress={() => setOpen({ type: 'add', kind: 'totp' })}
            >
              Add authenticator app
            </Button>
            <Button
              needs={null}
              size="sm"
              variant="secondary"
              disabledReason={passkeysRefused}
              onHoverStart={AddSecondFactor.preload}
              onPress={() => setOpen({ type: 'add', kind: 'passkey' })}
            >
              Add passkey
            </Button>
          </>
        }
      >
        {items.length === 0 ? (
          <p className="text-sm text-fg-muted">
            You have no second factors: anyone who knows your password can sign in as you. Adding
            one ends your other sessions.
          </p>
        ) : (
          <Table
            label="Second factors"
            columns={columns}
            rows={items}
            rowKey={({ id }) => id}
            rowActions={rowActions}
          />
        )}
      </CardBlock>
      <RecoveryCodesCard
        hasFactor={items.length > 0}
        onRenew={() =>
          renewRecoveryCodes(me.siloName, (codes) => setOpen({ type: 'codes', codes }))
        }
      />
      {open?.type === 'add' && (
        <AddSecondFactor
          kind={open.kind}
          onCreated={(made) => void created(made)}
          onSignInAgain={signInAgain}
          onDismiss={close}
          onMissing={close}
        />
      )}
      {open?.type === 'rename' && (
        <RenameDialog
          kind="second factor"
          name={open.factor.name}
          onRename={async (name) => {
            await call(accountSecondFactorUpdate, {
              path: { factorId: open.factor.id },
              body: { name },
            })
            await refreshSignIn()
          }}
          onFailure={(error) => {
            if (requiresRecentSignIn(error)) signInAgain(error)
          }}
          onDismiss={close}
          onMissing={close}
        />
      )}
      {open?.type === 'codes' && (
        <IssuedRecoveryCodes
          codes={open.codes}
          owner={{ user: me.displayName, silo: me.siloName }}
          onDismiss={close}
          onMissing={close}
        />
      )}
    </>
  )
}

/** So few codes left that it is time for new ones. */
const FEW = 3

function RecoveryCodesCard({ hasFactor, onRenew }: { hasFactor: boolean; onRenew: () => void }) {
  const { left, timeCreated } = useLoaded(recoveryCodes)
  return (
    <CardBlock
      title="Recovery codes"
      description="Each code works once in place of a second factor."
      actions={
        <Button
          needs={null}
          size="sm"
          variant="secondary"
          disabledReason={
            hasFactor ? undefined : 'You get recovery codes with your first second factor'
          }
          onPress={onRenew}
        >
          Generate new codes
        </Button>
      }
    >
      <p className="flex flex-wrap items-center gap-2 text-sm text-fg-muted">
        {hasFactor ? (
          <>
            <span>
              <span className="text-fg tabular">{left}</span> left
              {timeCreated && (
                <>
                  , generated <DateTime value={timeCreated} />
                </>
              )}
            </span>
            {left <= FEW && <Badge tone="notice">{left === 0 ? 'none left' : 'few left'}</Badge>}
          </>
        ) : (
          'You get recovery codes with your first second factor.'
        )}
      </p>
    </CardBlock>
  )
}
