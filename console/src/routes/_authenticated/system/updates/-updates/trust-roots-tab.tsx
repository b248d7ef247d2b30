import { FileJson, ShieldCheck, Trash2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import {
  systemUpdateTrustRootCreate,
  systemUpdateTrustRootDelete,
  systemUpdateTrustRootList,
} from '~/api/generated/operations'
import type { UpdatesTrustRoot } from '~/api/generated/types.gen'
import { noParams } from '~/api/list'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListTab, useList } from '~/app/list-screen'
import { codeAction } from '~/app/resource-actions'
import * as common from '~/messages/common'
import * as text from '~/messages/update-screens'
import { askToDelete } from '~/resource/deletion'
import { createdColumn } from '~/resource/list-columns'
import { roleFacts } from '~/resource/trust-root'
import { Badge } from '~/ui/badge'
import { DateTime } from '~/ui/date-time'
import { EmptyCell } from '~/ui/empty-cell'
import { ButtonCell } from '~/ui/link-cell'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'
import { toast } from '~/ui/toast'
import { useNow } from '~/ui/use-now'

const AddTrustRoot = onDemand(async () => (await import('./add-trust-root')).AddTrustRoot)
const TrustRootView = onDemand(async () => (await import('./trust-root-view')).TrustRootView)

const columns = (open: (root: UpdatesTrustRoot) => void): Column<UpdatesTrustRoot>[] => [
  {
    id: 'id',
    header: text.idLabel,
    isName: true,
    width: 300,
    value: ({ id }) => id,
    cell: (root) => (
      <ButtonCell onApproach={TrustRootView.preload} onPress={() => open(root)}>
        {root.id}
      </ButtonCell>
    ),
  },
  {
    id: 'version',
    header: text.versionLabel,
    width: 90,
    value: (root) => roleFacts(root).version,
    cell: (root) => roleFacts(root).version ?? <EmptyCell />,
  },
  { id: 'signatures', header: text.signaturesLabel, width: 140, cell: signaturesText },
  {
    id: 'expires',
    header: text.expiresLabel,
    width: 260,
    isKey: true,
    value: (root) => roleFacts(root).expires,
    cell: (root) => <ExpiryCell expires={roleFacts(root).expires} />,
  },
  createdColumn(),
]

/** How many keys have to sign: `1 of 3 keys`. */
function signaturesText(root: UpdatesTrustRoot) {
  const { threshold, keys } = roleFacts(root)
  return threshold === undefined || keys === undefined ? (
    <EmptyCell />
  ) : (
    text.signaturesText(threshold, keys)
  )
}

function ExpiryCell({ expires }: { expires: Date | undefined }) {
  const now = useNow()
  if (!expires) return <EmptyCell />
  return (
    <span className="flex items-center gap-2">
      <DateTime value={expires} />
      {expires.getTime() <= now && <Badge tone="notice">{text.expiredLabel}</Badge>}
    </span>
  )
}

function deleteRoot({ id }: UpdatesTrustRoot) {
  askToDelete({
    kind: 'trust-root',
    label: <b className="font-mono text-sm break-all">{id}</b>,
    extra: text.trustRootDeletionQuestion,
    send: planned(systemUpdateTrustRootDelete, { path: { trustRootId: id } }),
    done: async () => {
      await invalidate(systemUpdateTrustRootList)
      toast({ content: text.trustRootDeletedToast })
    },
  })
}

const list = defineList({
  operation: systemUpdateTrustRootList,
  params: noParams,
  label: text.trustRootsLabel,
  icon: ShieldCheck,
  create: {
    operation: systemUpdateTrustRootCreate,
    label: text.addTrustRootLabel,
    dialog: (_, closing) => <AddTrustRoot {...closing} />,
    preload: AddTrustRoot.preload,
  },
  empty: {
    title: text.noTrustRootsTitle,
    body: text.noTrustRootsHelp,
    button: text.addTrustRootLabel,
  },
})

/** The root roles that verify update repositories. */
export function TrustRootsTab() {
  const [viewed, setViewed] = useState<UpdatesTrustRoot>()
  const close = useCallback(() => setViewed(undefined), [])
  const rowActions = useCallback(
    (root: UpdatesTrustRoot) => [
      {
        id: 'view',
        label: text.viewJsonLabel,
        icon: FileJson,
        needs: null,
        onAction: () => setViewed(root),
      },
      ...menuEntries([codeAction(root.id, { kind: 'trust-root', id: root.id })]),
      {
        id: 'delete',
        label: common.deleteLabel,
        destructive: true,
        icon: Trash2,
        needs: systemUpdateTrustRootDelete,
        onAction: () => deleteRoot(root),
      },
    ],
    [],
  )
  return (
    <ListTab
      page={useList(list)}
      note={<p className="max-w-xl">{text.trustRootsHelp}</p>}
      columns={useMemo(() => columns(setViewed), [])}
      rowActions={rowActions}
    >
      {viewed && <TrustRootView id={viewed.id} onDismiss={close} onMissing={close} />}
    </ListTab>
  )
}
