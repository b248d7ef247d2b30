import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Cloud, Unlink } from 'lucide-react'

import {
  ipPoolSiloLink,
  ipPoolSiloList,
  ipPoolSiloUnlink,
  siloView,
} from '~/api/generated/operations'
import type { IpPool, IpPoolSiloLink } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { q } from '~/api/query'
import { defineList, ListTab, useList } from '~/app/list-screen'
import { useSession } from '~/app/session'
import * as text from '~/messages/ip-pool-screens'
import { refreshLinks, siloIpPools } from '~/resource/silo-ip-pools'
import { SiloLink } from '~/resource/silo-names'
import { Badge } from '~/ui/badge'
import { confirm } from '~/ui/confirm'
import type { MenuEntry } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

const LinkSilo = onDemand(async () => (await import('./-link-silo')).LinkSilo)

const columns: Column<IpPoolSiloLink>[] = [
  {
    id: 'silo',
    header: text.siloLabel,
    isName: true,
    value: ({ siloId }) => siloId,
    cell: ({ siloId }) => <SiloLink id={siloId} search="?tab=ip-pools" />,
  },
  {
    id: 'default',
    filter: { by: 'yesOrNo' },
    header: text.siloDefaultLabel,
    tip: text.siloDefaultHelp,
    width: 190,
    isKey: true,
    value: ({ isDefault }) => isDefault,
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
  const unlink = planned(ipPoolSiloUnlink, { path: { pool: ipPoolId, silo: siloId } })
  confirm({
    title: text.unlinkSiloTitle,
    body: (
      <>
        <p>{text.unlinkSiloQuestion}</p>
        <p>{text.unlinkSiloEffectQuestion}</p>
      </>
    ),
    tone: 'danger',
    calls: [unlink],
    action: async () => {
      await unlink.send()
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

const list = defineList({
  operation: ipPoolSiloList,
  params: (pool: string) => ({ path: { pool } }),
  label: text.linkedSilosLabel,
  icon: Cloud,
  create: {
    operation: ipPoolSiloLink,
    label: text.linkSiloLabel,
    dialog: (pool, closing) => <LinkSilo pool={pool} {...closing} />,
    preload: LinkSilo.preload,
  },
  empty: {
    title: text.noLinkedSilosTitle,
    body: text.noLinkedSilosHelp,
    button: text.linkSiloLabel,
  },
  rowKey: ({ siloId }) => siloId,
})

/** The silos whose users may allocate addresses from the pool. */
export function LinkedSilosTab({ pool }: { pool: IpPool }) {
  return (
    <ListTab page={useList(list, pool.name)} columns={columns} rowActions={rowActions}>
      <OwnSilo poolId={pool.id} />
    </ListTab>
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
