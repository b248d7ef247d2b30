import { useQuery } from '@tanstack/react-query'

import { ipPoolList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import * as text from '~/messages/silo-detail-screens'
import { PoolLinkDialog } from '~/resource/pool-link-dialog'
import { siloIpPools } from '~/resource/silo-ip-pools'

interface LinkPoolProps {
  /** Name of the silo. */
  silo: string
  onDismiss: () => void
}

/** Asks for a pool that is not linked to the silo yet, and links it. */
export function LinkPool({ silo, onDismiss }: LinkPoolProps) {
  const all = useQuery(q(ipPoolList, { query: { limit: allItems } }))
  const linked = useQuery(siloIpPools(silo))
  return (
    <PoolLinkDialog
      links="pool"
      label={text.ipPoolLabel}
      all={all}
      linked={linked}
      idOf={({ id }) => id}
      linkTo={(pool) => ({ pool, silo })}
      onDismiss={onDismiss}
    />
  )
}
