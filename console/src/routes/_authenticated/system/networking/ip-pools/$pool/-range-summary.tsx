import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { ipPoolRangeAdd, ipPoolRangeList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { compareIps, parseIp } from '~/lib/ip'
import { rangesOverlap } from '~/lib/ip-block'
import { rangeSize } from '~/lib/ip-number'
import { formatInteger } from '~/lib/numbers'
import * as text from '~/messages/network-summary-screens'
import { Fact, Facts, FormSummary } from '~/resource/form-summary'
import { ipPoolAddresses, ipPoolUtilization } from '~/resource/ip-pool-utilization'

import type { IpRangeValues } from './-ip-range-fields'

interface RangeSummaryProps {
  pool: string
  control: Control<IpRangeValues>
}

/** How many addresses a range adds to a pool, and which of them the pool has already. */
export function RangeSummary({ pool, control }: RangeSummaryProps) {
  const { first, last } = useWatch({ control }) as IpRangeValues
  const { data } = useQuery({
    ...q(ipPoolRangeList, { path: { pool }, query: { limit: allItems } }),
    throwOnError: false,
  })
  const version = rangeVersion(first, last)
  const added = version && rangeSize(first, last)
  const before = usePoolSize(pool, version)
  const taken = version && data?.items.find(({ range }) => rangesOverlap(range, { first, last }))
  return (
    <FormSummary
      needs={ipPoolRangeAdd}
      problems={[taken && text.rangeOverlapError(taken.range.first, taken.range.last)]}
    >
      {version && added && (
        <Facts>
          <Fact label={text.versionLabel}>{text.versionText[version]}</Fact>
          <Fact label={text.rangeLabel}>{formatInteger(added)}</Fact>
          <Fact label={text.poolSizeLabel}>
            {before !== undefined &&
              !taken &&
              text.afterText(formatInteger(before), formatInteger(before + added))}
          </Fact>
        </Facts>
      )}
      <p className="text-fg-muted">{text.otherPoolsHelp}</p>
    </FormSummary>
  )
}

/** The version of a range; `undefined` if the texts are no range. */
function rangeVersion(first: string, last: string) {
  const [{ type }, end] = [parseIp(first), parseIp(last)]
  if (type === 'error' || end.type !== type) return undefined
  return compareIps(first, last) <= 0 ? type : undefined
}

/** The addresses of a version that a pool has, as its page shows them. */
function usePoolSize(pool: string, version: 'v4' | 'v6' | undefined): bigint | undefined {
  const { data } = useQuery({ ...ipPoolUtilization(pool), throwOnError: false })
  if (!data || !version) return undefined
  return BigInt(ipPoolAddresses(data)[version].capacity)
}
