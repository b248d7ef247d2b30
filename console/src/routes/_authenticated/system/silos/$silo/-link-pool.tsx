import { useQuery } from '@tanstack/react-query'

import { ipPoolList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { PoolLinkDialog } from '~/resource/pool-link-dialog'
import { siloIpPools } from '~/resource/silo-ip-pools'

interface LinkPoolProps {
  /** Name of the silo. */
  silo: string
  onDismiss: () => void
}

/** Asks which of the pools that are not linked yet the silo may use, and links it. */
export function LinkPool({ silo, onDismiss }: LinkPoolProps) {
  const all = useQuery(q(ipPoolList, { query: { limit: allItems } }))
  const linked = useQuery(siloIpPools(silo))
  return (
    <PoolLinkDialog
      noun="pool"
      label="IP pool"
      all={all}
      linked={linked}
      idOf={({ id }) => id}
      linkTo={(pool) => ({ pool, silo })}
      onDismiss={onDismiss}
    />
  )
}
