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
import * as common from '~/messages/common'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/sign-in-screens'
import { createdColumn } from '~/resource/list-columns'
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
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    {
      label: text.docsLabel,
      href: '/explorer?operation=account_second_factor_list',
    },
  ],
}

export const Route = createFileRoute('/_authenticated/settings/sign-in')({
  // The loader is in the screen's chunk, because no other screen needs these operations.
  codeSplitGroupings: [['loader', 'component']],
  loader: async ({ context: { queryClient } }) => {
    const { hasPassword } = await load(queryClient, account)
    if (hasPassword)
      await Promise.all([load(queryClient, factors), load(queryClient, recoveryCodes)])
  },
  staticData: { crumb: { label: crumbs.signInLabel } },
  component: SignInPage,
})

function SignInPage() {
  const { hasPassword } = useLoaded(account)
  return (
    <div className="max-w-4xl">
      <PageHeader icon={<ShieldCheck />} title={text.signInTitle} docs={docs} />
      {hasPassword ? (
        <div className="space-y-6">
          <PasswordCard />
          <SecondFactorCards />
        </div>
      ) : (
        <Message>{text.noPasswordHelp}</Message>
      )}
    </div>
  )
}

function PasswordCard() {
  const [isChanging, setChanging] = useState(false)
  const close = useCallback(() => setChanging(false), [])
  return (
    <CardBlock
      title={text.passwordTitle}
      description={text.passwordHelp}
      actions={
        <Button
          needs={null}
          size="sm"
          variant="secondary"
          onHoverStart={ChangeOwnPassword.preload}
          onPress={() => setChanging(true)}
        >
          {text.changePasswordLabel}
        </Button>
      }
    >
      {isChanging && <ChangeOwnPassword onDismiss={close} onMissing={close} />}
    </CardBlock>
  )
}

const columns: Column<SecondFactor>[] = [
  { id: 'name', header: text.nameLabel, isName: true, minWidth: 160, cell: ({ name }) => name },
  {
    id: 'kind',
    header: text.kindLabel,
    width: 160,
    isKey: true,
    cell: ({ kind }) => <Badge tone="neutral">{FACTOR_KINDS[kind]}</Badge>,
  },
  createdColumn(),
  {
    id: 'used',
    header: text.lastUsedLabel,
    width: 180,
    cell: ({ timeLastUsed }) =>
      timeLastUsed ? <DateTime value={timeLastUsed} /> : text.neverUsedText,
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
      content: text.secondFactorAddedToast(factor.name),
    })
  }
  const rowActions = (factor: SecondFactor) => [
    {
      id: 'rename',
      label: text.renameLabel,
      icon: Pencil,
      needs: null,
      onAction: () => setOpen({ type: 'rename', factor }),
    },
    {
      id: 'remove',
      label: common.removeLabel,
      icon: Trash2,
      destructive: true,
      needs: null,
      disabledReason: isLast && secondFactorRequired ? text.secondFactorRequiredError : undefined,
      onAction: () => removeSecondFactor(factor, { silo: me.siloName, isLast }),
    },
  ]

  return (
    <>
      <CardBlock
        title={text.secondFactorsTitle}
        flush={items.length > 0}
        description={secondFactorRequired ? text.requiredSecondFactorsHelp : text.secondFactorsHelp}
        actions={
          <>
            <Button
              needs={null}
              size="sm"
              variant="secondary"
              onHoverStart={AddSecondFactor.preload}
              onPress={() => setOpen({ type: 'add', kind: 'totp' })}
            >
              {text.addAuthenticatorAppLabel}
            </Button>
            <Button
              needs={null}
              size="sm"
              variant="secondary"
              disabledReason={passkeysRefused}
              onHoverStart={AddSecondFactor.preload}
              onPress={() => setOpen({ type: 'add', kind: 'passkey' })}
            >
              {text.addPasskeyLabel}
            </Button>
          </>
        }
      >
        {items.length === 0 ? (
          <p className="text-sm text-fg-muted">{text.noSecondFactorsHelp}</p>
        ) : (
          <Table
            label={text.secondFactorsLabel}
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
          kind="second-factor"
          name={open.factor.name}
          calls={null}
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

/** With this many codes left or fewer, the card suggests generating new ones. */
const FEW = 3

function RecoveryCodesCard({ hasFactor, onRenew }: { hasFactor: boolean; onRenew: () => void }) {
  const { left, timeCreated } = useLoaded(recoveryCodes)
  const count = <span className="text-fg tabular">{left}</span>
  return (
    <CardBlock
      title={text.recoveryCodesTitle}
      description={text.recoveryCodesHelp}
      actions={
        <Button
          needs={null}
          size="sm"
          variant="secondary"
          disabledReason={hasFactor ? undefined : text.noRecoveryCodesError}
          onPress={onRenew}
        >
          {text.generateNewCodesLabel}
        </Button>
      }
    >
      <p className="flex flex-wrap items-center gap-2 text-sm text-fg-muted">
        {hasFactor ? (
          <>
            <span>
              {timeCreated
                ? text.codesLeftSinceText(count, <DateTime value={timeCreated} />)
                : text.codesLeftText(count)}
            </span>
            {left <= FEW && (
              <Badge tone="notice">{left === 0 ? text.noneLeftLabel : text.fewLeftLabel}</Badge>
            )}
          </>
        ) : (
          text.noRecoveryCodesHelp
        )}
      </p>
    </CardBlock>
  )
}
