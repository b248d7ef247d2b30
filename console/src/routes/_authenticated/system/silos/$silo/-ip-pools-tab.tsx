import { useQuery } from '@tanstack/react-query'
import { Check, Globe } from 'lucide-react'
import { useCallback, useState } from 'react'

import { siloIpPoolList } from '~/api/generated/operations'
import type { SiloIpPool } from '~/api/generated/types.gen'
import { useListPage } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { ListTable } from '~/app/list-table'
import { siloIpPoolActions } from '~/resource/silo-ip-pool-actions'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

import { linkedPools } from './-linked-pools'

const LinkPool = onDemand(async () => (await import('./-link-pool')).LinkPool)

const noPools = (
  <EmptyMessage
    icon={<Globe />}
    title="No IP pools"
    body="Link an IP pool to see it here. Without one, nobody in the silo can allocate an external address."
  />
)

const columns: Column<SiloIpPool>[] = [
  { id: 'name', header: 'name', isName: true, cell: ({ name }) => name },
  {
    id: 'description',
    header: 'description',
    width: 320,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'default',
    header: 'Default',
    isKey: true,
    cell: ({ isDefault }) =>
      isDefault && (
        <span className="inline-flex items-center gap-1.5">
          <Check aria-hidden="true" className="size-4 text-accent-text" />
          <Badge>default</Badge>
        </span>
      ),
  },
]

/** The pools that the silo's users may take addresses from. */
export function IpPoolsTab({ silo }: { silo: string }) {
  const page = useListPage(siloIpPoolList, { path: { silo } })
  const { data: linked } = useQuery(linkedPools(silo))
  const currentDefault = linked?.items.find(({ isDefault }) => isDefault)
  const [isLinking, setLinking] = useState(false)
  const close = useCallback(() => setLinking(false), [])
  return (
    <div className="space-y-4">
      <div className="flex justify-end">
        <Button size="sm" onPress={() => setLinking(true)}>
          Link pool
        </Button>
      </div>
      <ListTable
        label="IP pools"
        page={page}
        columns={columns}
        rowActions={(pool) => menuEntries(siloIpPoolActions(pool, silo, currentDefault))}
        empty={noPools}
      />
      {isLinking && <LinkPool silo={silo} onDismiss={close} onMissing={close} />}
    </div>
  )
}
