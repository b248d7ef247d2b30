import { ListEnd, Trash2 } from 'lucide-react'
import { useCallback } from 'react'

import { call } from '~/api/call'
import {
  ipPoolRangeAdd,
  ipPoolRangeList,
  ipPoolRangeRemove,
  ipPoolUtilizationView,
} from '~/api/generated/operations'
import type { IpPoolRange } from '~/api/generated/types.gen'
import { useListPage } from '~/api/list'
import { invalidate } from '~/api/query'
import { ButtonLink } from '~/app/button-link'
import { ListTable } from '~/app/list-table'
import { NewLink } from '~/app/new-link'
import { rangeSize } from '~/lib/ip-number'
import { IP_POOLS_PATH } from '~/resource/system-paths'
import { BigNumber } from '~/ui/big-number'
import { confirm } from '~/ui/confirm'
import { DateTime } from '~/ui/date-time'
import { EmptyMessage } from '~/ui/empty-message'
import type { MenuEntry } from '~/ui/menu'
import type { Column } from '~/ui/table-column'

const Address = ({ children }: { children: string }) => (
  <span className="font-mono text-xs">{children}</span>
)

const columns: Column<IpPoolRange>[] = [
  {
    id: 'first',
    header: 'First',
    isName: true,
    cell: ({ range }) => <Address>{range.first}</Address>,
  },
  {
    id: 'last',
    header: 'Last',
    width: 240,
    isKey: true,
    cell: ({ range }) => <Address>{range.last}</Address>,
  },
  {
    id: 'size',
    header: 'Addresses',
    width: 110,
    cell: ({ range: { first, last } }) => <BigNumber value={rangeSize(first, last)} />,
  },
  {
    id: 'created',
    header: 'created',
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

function confirmRemoval({ range: { first, last } }: IpPoolRange, pool: string): void {
  confirm({
    title: 'Confirm remove range',
    body: (
      <>
        <p>
          Are you sure you want to remove range{' '}
          <b className="font-mono">
            {first}–{last}
          </b>
          ?
        </p>
        <p>Removing it fails while addresses of the range are in use.</p>
      </>
    ),
    tone: 'danger',
    action: async () => {
      await call(ipPoolRangeRemove, { path: { pool }, body: { first, last } })
      await invalidate(ipPoolRangeList, ipPoolUtilizationView)
    },
    errorTitle: 'Could not remove range',
  })
}

/** The addresses that a pool consists of. */
export function RangesTab({ pool }: { pool: string }) {
  const page = useListPage(ipPoolRangeList, { path: { pool } })
  const addPath = `${IP_POOLS_PATH}/${pool}/ranges-add`
  const rowActions = useCallback(
    (range: IpPoolRange): MenuEntry[] => [
      {
        id: 'remove',
        label: 'Remove',
        icon: Trash2,
        destructive: true,
        needs: ipPoolRangeRemove,
        onAction: () => confirmRemoval(range, pool),
      },
    ],
    [pool],
  )
  return (
    <div className="space-y-4">
      <div className="flex justify-end">
        <NewLink needs={ipPoolRangeAdd} to={addPath} size="sm">
          Add range
        </NewLink>
      </div>
      <ListTable
        label="IP ranges"
        page={page}
        columns={columns}
        rowActions={rowActions}
        empty={
          <EmptyMessage
            icon={<ListEnd />}
            title="No IP ranges"
            body="Add a range to see it here"
            action={
              <ButtonLink needs={ipPoolRangeAdd} to={addPath} variant="secondary" size="sm">
                Add range
              </ButtonLink>
            }
          />
        }
      />
    </div>
  )
}
