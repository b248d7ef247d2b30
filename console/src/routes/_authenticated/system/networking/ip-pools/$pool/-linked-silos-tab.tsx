import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Cloud, Plus, Unlink } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { call } from '~/api/call'
import {
  ipPoolSiloLink,
  ipPoolSiloList,
  ipPoolSiloUnlink,
  siloView,
} from '~/api/generated/operations'
import type { IpPool, IpPoolSiloLink } from '~/api/generated/types.gen'
import { useListPage } from '~/api/list'
import { q } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { ListTable } from '~/app/list-table'
import { useSession } from '~/app/session'
import * as text from '~/messages/ip-pool-screens'
import { refreshLinks, siloIpPools } from '~/resource/silo-ip-pools'
import { SiloLink } from '~/resource/silo-names'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { confirm } from '~/ui/confirm'
import { EmptyMessage } from '~/ui/empty-message'
import type { MenuEntry } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'
import { TipIcon } from '~/ui/tooltip'

const LinkSilo = onDemand(async () => (await import('./-link-silo')).LinkSilo)

const columns: Column<IpPoolSiloLink>[] = [
  {
    id: 'silo',
    header: text.siloLabel,
    isName: true,
    cell: ({ siloId }) => <SiloLink id={siloId} search="?tab=ip-pools" />,
  },
  {
    id: 'default',
    header: (
      <span className="inline-flex items-center gap-1">
        {text.siloDefaultLabel}
        <TipIcon>{text.siloDefaultHelp}</TipIcon>
      </span>
    ),
    width: 190,
    isKey: true,
    cell: ({ isDefault }) =>
      isDefault && (
        <span className="inline-flex items-center gap-1.5">
          <Check aria-hidden="true" className="size-4 text-accent-text" />
          <Badge>{text.defaultLabel}</Badge>
        </span>
      ),
  },
]

function confirmUnlink({ ipPoolId, siloId }: IpPoolSiloLink): void {
  confirm({
    title: text.unlinkSiloTitle,
    body: (
      <>
        <p>{text.unlinkSiloQuestion}</p>
        <p>{text.unlinkSiloEffectQuestion}</p>
      </>
    ),
    tone: 'danger',
    action: async () => {
      await call(ipPoolSiloUnlink, { path: { pool: ipPoolId, silo: siloId } })
      await refreshLinks()
    },
    errorTitle: text.unlinkSiloFailedError,
  })
}

const rowActions = (link: IpPoolSiloLink): MenuEntry[] => [
  {
    id: 'unlink',
    label: text.unlinkLabel,
    icon: Unlink,
    destructive: true,
    needs: ipPoolSiloUnlink,
    onAction: () => confirmUnlink(link),
  },
]

const rowKey = ({ siloId }: IpPoolSiloLink) => siloId

/** The silos whose users may allocate addresses from the pool. */
export function LinkedSilosTab({ pool }: { pool: IpPool }) {
  const page = useListPage(ipPoolSiloList, { path: { pool: pool.name } })
  const [isLinking, setLinking] = useState(false)
  const open = useCallback(() => setLinking(true), [])
  const close = useCallback(() => setLinking(false), [])
  useActions(
    useMemo(
      () => [
        {
          id: 'link-silo',
          label: text.linkSiloLabel,
          icon: Plus,
          shortcut: 'n',
          needs: ipPoolSiloLink,
          perform: open,
        },
      ],
      [open],
    ),
  )
  return (
    <div className="space-y-4">
      <div className="flex justify-end">
        <Button needs={ipPoolSiloLink} size="sm" onHoverStart={LinkSilo.preload} onPress={open}>
          {text.linkSiloLabel}
        </Button>
      </div>
      <ListTable
        label={text.linkedSilosLabel}
        page={page}
        columns={columns}
        rowKey={rowKey}
        rowActions={rowActions}
        empty={
          <EmptyMessage
            icon={<Cloud />}
            title={text.noLinkedSilosTitle}
            body={text.noLinkedSilosHelp}
            action={
              <Button needs={ipPoolSiloLink} variant="secondary" size="sm" onPress={open}>
                {text.linkSiloLabel}
              </Button>
            }
          />
        }
      />
      <OwnSilo poolId={pool.id} />
      {isLinking && <LinkSilo pool={pool.name} onDismiss={close} onMissing={close} />}
    </div>
  )
}

/** States that the user's silo is linked if the list omits it because it is not discoverable. */
function OwnSilo({ poolId }: { poolId: string }) {
  const { siloId } = useSession().me
  const { data: silo } = useQuery(q(siloView, { path: { silo: siloId } }))
  const isHidden = silo?.discoverable === false
  const { data: pools } = useQuery({ ...siloIpPools(siloId), enabled: isHidden })
  if (!isHidden || !pools?.items.some(({ id }) => id === poolId)) return null
  return (
    <p className="text-sm text-fg-muted">
      {text.ownSiloText(
        <Link
          to="/system/silos/$silo"
          params={{ silo: silo.name }}
          search={{ tab: 'ip-pools' }}
          className="text-fg underline"
        >
          {silo.name}
        </Link>,
      )}
    </p>
  )
}
