import { useQuery } from '@tanstack/react-query'

import { siloList, siloView } from '~/api/generated/operations'
import { q, qOutcome } from '~/api/query'
import * as common from '~/messages/common'
import { Badge } from '~/ui/badge'
import { EmptyCell } from '~/ui/empty-cell'
import { LinkCell } from '~/ui/link-cell'
import { Skeleton } from '~/ui/skeleton'

/** Silos whose names are loaded together. Others are fetched one by one. */
export const siloNames = q(siloList, { query: { limit: 200 } })

interface SiloLinkProps {
  id: string
  /** Suffix of the path of the silo's page. */
  search?: string
}

/** Cell with a link to a silo, by its id. */
export function SiloLink({ id, search = '' }: SiloLinkProps) {
  const { data: known, isPending } = useQuery(siloNames)
  const name = known?.items.find((silo) => silo.id === id)?.name
  if (name !== undefined) return <LinkTo name={name} search={search} />
  return isPending ? <Skeleton /> : <FetchedSiloLink id={id} search={search} />
}

function FetchedSiloLink({ id, search }: Required<SiloLinkProps>) {
  const { data: outcome, error } = useQuery(qOutcome(siloView, { path: { silo: id } }))
  if (outcome?.type === 'success') return <LinkTo name={outcome.data.name} search={search} />
  if (!outcome && !error) return <Skeleton />
  return outcome?.data.statusCode === 404 ? (
    <Badge tone="neutral">{common.deletedLabel}</Badge>
  ) : (
    <EmptyCell />
  )
}

const LinkTo = ({ name, search }: { name: string; search: string }) => (
  <LinkCell href={`/system/silos/${name}${search}`}>{name}</LinkCell>
)

/** Name of the silo with this id; `undefined` until it is loaded, or if there is no such silo. */
export function useSiloName(id: string): string | undefined {
  const { data: known, isPending } = useQuery(siloNames)
  const name = known?.items.find((silo) => silo.id === id)?.name
  const { data: outcome } = useQuery({
    ...qOutcome(siloView, { path: { silo: id } }, { staleTime: 60_000 }),
    enabled: !isPending && name === undefined,
  })
  return name ?? (outcome?.type === 'success' ? outcome.data.name : undefined)
}
