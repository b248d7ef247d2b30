import { useQuery } from '@tanstack/react-query'

import { ipPoolSiloList, siloList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import * as text from '~/messages/ip-pool-screens'
import { PoolLinkDialog } from '~/resource/pool-link-dialog'

interface LinkSiloProps {
  /** Name of the pool. */
  pool: string
  onDismiss: () => void
}

/** Asks for a silo that is not linked to the pool yet, and links it. */
export function LinkSilo({ pool, onDismiss }: LinkSiloProps) {
  const all = useQuery(q(siloList, { query: { limit: allItems } }))
  const linked = useQuery(q(ipPoolSiloList, { path: { pool }, query: { limit: allItems } }))
  return (
    <PoolLinkDialog
      links="silo"
      label={text.siloLabel}
      all={all}
      linked={linked}
      idOf={({ siloId }) => siloId}
      linkTo={(silo) => ({ pool, silo })}
      onDismiss={onDismiss}
    />
  )
}
