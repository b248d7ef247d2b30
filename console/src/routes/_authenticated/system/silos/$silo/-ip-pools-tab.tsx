import { useQuery } from '@tanstack/react-query'
import { Check, Globe, Plus } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { ipPoolCreate, ipPoolSiloLink, siloIpPoolList } from '~/api/generated/operations'
import type { SiloIpPool } from '~/api/generated/types.gen'
import { useListPage } from '~/api/list'
import { menuEntries, useActions } from '~/app/action-registry'
import { ButtonLink } from '~/app/button-link'
import { ListTable } from '~/app/list-table'
import * as text from '~/messages/silo-detail-screens'
import { siloIpPoolActions } from '~/resource/silo-ip-pool-actions'
import { siloIpPools } from '~/resource/silo-ip-pools'
import { IP_POOLS_PATH } from '~/resource/system-paths'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

const LinkPool = onDemand(async () => (await import('./-link-pool')).LinkPool)

const noPools = (
  <EmptyMessage
    icon={<Globe />}
    title={text.noIpPoolsTitle}
    body={text.noIpPoolsHelp}
    action={
      <ButtonLink
        needs={ipPoolCreate}
        to="/system/networking/ip-pools-new"
        variant="secondary"
        size="sm"
      >
        {text.newIpPoolLabel}
      </ButtonLink>
    }
  />
)

const columns: Column<SiloIpPool>[] = [
  {
    id: 'name',
    header: text.nameColumnLabel,
    isName: true,
    cell: ({ name }) => <LinkCell href={`${IP_POOLS_PATH}/${name}`}>{name}</LinkCell>,
  },
  {
    id: 'description',
    header: text.descriptionColumnLabel,
    width: 320,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'default',
    header: text.defaultColumnLabel,
    isKey: true,
    cell: ({ isDefault }) =>
      isDefault && (
        <span className="inline-flex items-center gap-1.5">
          <Check aria-hidden="true" className="size-4 text-accent-text" />
          <Badge>{text.defaultPoolLabel}</Badge>
        </span>
      ),
  },
]

/** The pools from which the silo's users may allocate addresses. */
export function IpPoolsTab({ silo }: { silo: string }) {
  const page = useListPage(siloIpPoolList, { path: { silo } })
  const { data: linked } = useQuery(siloIpPools(silo))
  const currentDefault = linked?.items.find(({ isDefault }) => isDefault)
  const [isLinking, setLinking] = useState(false)
  const open = useCallback(() => setLinking(true), [])
  const close = useCallback(() => setLinking(false), [])
  useActions(
    useMemo(
      () => [
        {
          id: 'link-pool',
          label: text.linkPoolLabel,
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
        <Button needs={ipPoolSiloLink} size="sm" onHoverStart={LinkPool.preload} onPress={open}>
          {text.linkPoolLabel}
        </Button>
      </div>
      <ListTable
        label={text.ipPoolsLabel}
        page={page}
        columns={columns}
        rowActions={(pool) => menuEntries(siloIpPoolActions(pool, silo, currentDefault))}
        empty={noPools}
      />
      {isLinking && <LinkPool silo={silo} onDismiss={close} onMissing={close} />}
    </div>
  )
}
