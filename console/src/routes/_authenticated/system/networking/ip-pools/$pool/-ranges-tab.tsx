import { ListEnd, Trash2 } from 'lucide-react'
import { useCallback } from 'react'

import {
  ipPoolRangeAdd,
  ipPoolRangeList,
  ipPoolRangeRemove,
  ipPoolUtilizationView,
} from '~/api/generated/operations'
import type { IpPoolRange } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import { defineList, ListTab, useList } from '~/app/list-screen'
import { rangeSize } from '~/lib/ip-number'
import * as common from '~/messages/common'
import * as text from '~/messages/ip-pool-screens'
import { createdColumn } from '~/resource/list-columns'
import { IP_POOLS_PATH } from '~/resource/system-paths'
import { BigNumber } from '~/ui/big-number'
import { confirm } from '~/ui/confirm'
import type { MenuEntry } from '~/ui/menu'
import type { Column } from '~/ui/table-column'

const Address = ({ children }: { children: string }) => (
  <span className="font-mono text-xs">{children}</span>
)

const columns: Column<IpPoolRange>[] = [
  {
    id: 'first',
    filter: { by: 'ipVersion' },
    header: text.firstAddressLabel,
    isName: true,
    value: ({ range }) => range.first,
    cell: ({ range }) => <Address>{range.first}</Address>,
  },
  {
    id: 'last',
    header: text.lastAddressLabel,
    width: 240,
    isKey: true,
    value: ({ range }) => range.last,
    cell: ({ range }) => <Address>{range.last}</Address>,
  },
  {
    id: 'size',
    header: text.addressesLabel,
    width: 110,
    value: ({ range: { first, last } }) => String(rangeSize(first, last)),
    cell: ({ range: { first, last } }) => <BigNumber value={rangeSize(first, last)} />,
  },
  createdColumn(),
]

function confirmRemoval({ range: { first, last } }: IpPoolRange, pool: string): void {
  const removal = planned(ipPoolRangeRemove, { path: { pool }, body: { first, last } })
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
    calls: [removal],
    action: async () => {
      await removal.send()
      await invalidate(ipPoolRangeList, ipPoolUtilizationView)
    },
    errorTitle: text.removeRangeFailedError,
  })
}

const list = defineList({
  operation: ipPoolRangeList,
  params: (pool: string) => ({ path: { pool } }),
  label: text.ipRangesLabel,
  icon: ListEnd,
  create: {
    operation: ipPoolRangeAdd,
    path: (pool) => `${IP_POOLS_PATH}/${pool}/ranges-add`,
    label: text.addRangeLabel,
  },
  empty: { title: text.noIpRangesTitle, body: text.noIpRangesHelp, button: text.addRangeLabel },
})

/** The address ranges of a pool. */
export function RangesTab({ pool }: { pool: string }) {
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
  return <ListTab page={useList(list, pool)} columns={columns} rowActions={rowActions} />
}
