import { useQuery } from '@tanstack/react-query'
import { Check, Globe } from 'lucide-react'

import { ipPoolCreate, ipPoolSiloLink, siloIpPoolList } from '~/api/generated/operations'
import type { SiloIpPool } from '~/api/generated/types.gen'
import { menuEntries } from '~/app/action-registry'
import { ButtonLink } from '~/app/button-link'
import { defineList, ListTab, useList } from '~/app/list-screen'
import * as text from '~/messages/silo-detail-screens'
import { descriptionColumn, nameColumn } from '~/resource/list-columns'
import { siloIpPoolActions } from '~/resource/silo-ip-pool-actions'
import { siloIpPools } from '~/resource/silo-ip-pools'
import { IP_POOLS_PATH } from '~/resource/system-paths'
import { Badge } from '~/ui/badge'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

const LinkPool = onDemand(async () => (await import('./-link-pool')).LinkPool)

/** A pool has to exist before it can be linked. */
const newPool = (
  <ButtonLink
    needs={ipPoolCreate}
    to="/system/networking/ip-pools-new"
    variant="secondary"
    size="sm"
  >
    {text.newIpPoolLabel}
  </ButtonLink>
)

const columns: Column<SiloIpPool>[] = [
  nameColumn(({ name }) => `${IP_POOLS_PATH}/${name}`),
  descriptionColumn(),
  {
    id: 'default',
    filter: { by: 'yesOrNo' },
    header: text.defaultColumnLabel,
    isKey: true,
    value: ({ isDefault }) => isDefault,
    cell: ({ isDefault }) =>
      isDefault && (
        <span className="inline-flex items-center gap-1.5">
          <Check aria-hidden="true" className="size-4 text-accent-text" />
          <Badge>{text.defaultPoolLabel}</Badge>
        </span>
      ),
  },
]

const list = defineList({
  operation: siloIpPoolList,
  params: (silo: string) => ({ path: { silo } }),
  label: text.ipPoolsLabel,
  icon: Globe,
  create: {
    operation: ipPoolSiloLink,
    label: text.linkPoolLabel,
    dialog: (silo, closing) => <LinkPool silo={silo} {...closing} />,
    preload: LinkPool.preload,
  },
  empty: { title: text.noIpPoolsTitle, body: text.noIpPoolsHelp, button: newPool },
})

/** The pools from which the silo's users may allocate addresses. */
export function IpPoolsTab({ silo }: { silo: string }) {
  const { data: linked } = useQuery(siloIpPools(silo))
  const currentDefault = linked?.items.find(({ isDefault }) => isDefault)
  return (
    <ListTab
      page={useList(list, silo)}
      columns={columns}
      rowActions={(pool) => menuEntries(siloIpPoolActions(pool, silo, currentDefault))}
    />
  )
}
