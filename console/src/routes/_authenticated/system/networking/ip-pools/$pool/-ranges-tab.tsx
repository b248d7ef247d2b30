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
import * as common from '~/messages/common'
import * as text from '~/messages/ip-pool-screens'
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
    header: text.firstAddressLabel,
    isName: true,
    cell: ({ range }) => <Address>{range.first}</Address>,
  },
  {
    id: 'last',
    header: text.lastAddressLabel,
    width: 240,
    isKey: true,
    cell: ({ range }) => <Address>{range.last}</Address>,
  },
  {
    id: 'size',
    header: text.addressesLabel,
    width: 110,
    cell: ({ range: { first, last } }) => <BigNumber value={rangeSize(first, last)} />,
  },
  {
    id: 'created',
    header: text.createdColumnLabel,
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

function confirmRemoval({ range: { first, last } }: IpPoolRange, pool: string): void {
  confirm({
    title: text.removeRangeTitle,
    body: (
      <>
        <p>
          {text.removeRangeQuestion(
            <b className="font-mono">
              {first}–{last}
            </b>,
          )}
        </p>
        <p>{text.removeRangeEffectQuestion}</p>
      </>
    ),
    tone: 'danger',
    action: async () => {
      await call(ipPoolRangeRemove, { path: { pool }, body: { first, last } })
      await invalidate(ipPoolRangeList, ipPoolUtilizationView)
    },
    errorTitle: text.removeRangeFailedError,
  })
}

/** The address ranges of a pool. */
export function RangesTab({ pool }: { pool: string }) {
  const page = useListPage(ipPoolRangeList, { path: { pool } })
  const addPath = `${IP_POOLS_PATH}/${pool}/ranges-add`
  const rowActions = useCallback(
    (range: IpPoolRange): MenuEntry[] => [
      {
        id: 'remove',
        label: common.removeLabel,
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
          {text.addRangeLabel}
        </NewLink>
      </div>
      <ListTable
        label={text.ipRangesLabel}
        page={page}
        columns={columns}
        rowActions={rowActions}
        empty={
          <EmptyMessage
            icon={<ListEnd />}
            title={text.noIpRangesTitle}
            body={text.noIpRangesHelp}
            action={
              <ButtonLink needs={ipPoolRangeAdd} to={addPath} variant="secondary" size="sm">
                {text.addRangeLabel}
              </ButtonLink>
            }
          />
        }
      />
    </div>
  )
}
