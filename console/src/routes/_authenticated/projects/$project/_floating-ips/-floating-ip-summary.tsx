import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { floatingIpCreate } from '~/api/generated/operations'
import { useSession } from '~/app/session'
import { parseIp } from '~/lib/ip'
import { formatInteger } from '~/lib/numbers'
import * as text from '~/messages/network-summary-screens'
import type { FloatingIpFormValues } from '~/resource/floating-ip-form'
import { Fact, Facts, FormSummary } from '~/resource/form-summary'
import { defaultPoolName } from '~/resource/ip-pool-options'
import { ipPoolAddresses, ipPoolUtilization } from '~/resource/ip-pool-utilization'
import { projectIpPools } from '~/resource/project-ip-pools'

/** Which address a new floating IP gets, and how many the pool has left, for who may read that. */
export function FloatingIpSummary({ control }: { control: Control<FloatingIpFormValues> }) {
  const { pool, ip } = useWatch({ control }) as FloatingIpFormValues
  const { data } = useQuery(projectIpPools)
  const standard = data && defaultPoolName(data.items)
  const name = pool || standard
  const left = useAddressesLeft(name)
  const address = ip.trim()
  const isAddress = parseIp(address).type !== 'error'
  const isUsedUp = left !== undefined && left.v4.free === 0 && left.v6.free === 0n
  return (
    <FormSummary
      needs={floatingIpCreate}
      problems={[
        name === '' ? text.noPoolError : undefined,
        isUsedUp && name ? text.noAddressError(name) : undefined,
      ]}
    >
      <Facts>
        <Fact label={text.poolLabel}>
          {name && name === standard ? text.defaultPoolText(name) : name}
        </Fact>
        <Fact label={text.addressLabel} isCode={isAddress}>
          {isAddress ? address : text.lowestText}
        </Fact>
        {left && left.v4.total > 0 && (
          <Fact label={text.leftLabel} isWrong={left.v4.free === 0}>
            {text.leftText(formatInteger(left.v4.free), formatInteger(left.v4.total))}
          </Fact>
        )}
        {left && left.v6.total > 0n && (
          <Fact label={text.leftV6Label} isWrong={left.v6.free === 0n}>
            {text.leftText(formatInteger(left.v6.free), formatInteger(left.v6.total))}
          </Fact>
        )}
      </Facts>
      <p className="text-fg-muted">{text.untilDeletedHelp}</p>
    </FormSummary>
  )
}

/** The free addresses of a pool. Only operators may read them. */
function useAddressesLeft(pool: string | undefined) {
  const { isFleetViewer } = useSession()
  const { data } = useQuery({
    ...ipPoolUtilization(pool ?? ''),
    enabled: isFleetViewer && Boolean(pool),
    throwOnError: false,
  })
  if (!data) return undefined
  const { v4, v6 } = ipPoolAddresses(data)
  return {
    v4: { free: v4.capacity - v4.allocated, total: v4.capacity },
    v6: { free: v6.capacity - v6.allocated, total: v6.capacity },
  }
}
