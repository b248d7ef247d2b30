import { useQuery } from '@tanstack/react-query'

import { siloUserView, userBuiltinView } from '~/api/generated/operations'
import type { AuditLogEntryActor } from '~/api/generated/types.gen'
import { qOutcome } from '~/api/query'
import { truncate } from '~/lib/text'
import * as text from '~/messages/audit'
import { Link } from '~/ui/link'
import { Skeleton } from '~/ui/skeleton'

import { useSiloName } from './silo-names'

// Names change rarely, and the same few occur again and again on a page of the log.
const FRESH = { staleTime: 60_000 }

/** The actor of an entry: its name, or a shortened id if the name is unknown. */
export function AuditActor({ actor }: { actor: AuditLogEntryActor }) {
  switch (actor.kind) {
    case 'silo_user':
      return <SiloUser {...actor} />
    case 'user_builtin':
      return <BuiltinUser id={actor.userBuiltinId} />
    default:
      return <span className="text-fg-subtle">{text.notSignedInText}</span>
  }
}

type SiloUserActor = Extract<AuditLogEntryActor, { kind: 'silo_user' }>

function SiloUser({ siloId, siloUserId: userId }: SiloUserActor) {
  const { data, error } = useQuery(
    qOutcome(siloUserView, { path: { userId }, query: { silo: siloId } }, FRESH),
  )
  const silo = useSiloName(siloId)
  if (!data && !error) return <Skeleton />
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      {data?.type === 'success' ? (
        <span className="truncate">{data.data.displayName}</span>
      ) : (
        <ShortId id={userId} />
      )}
      {silo && (
        <Link
          href={`/system/silos/${silo}`}
          aria-label={text.siloLabel(silo)}
          className="shrink-0 rounded-sm text-xs text-fg-subtle underline decoration-line-strong underline-offset-3 hover:decoration-current"
        >
          {silo}
        </Link>
      )}
    </span>
  )
}

function BuiltinUser({ id }: { id: string }) {
  const { data, error } = useQuery(qOutcome(userBuiltinView, { path: { user: id } }, FRESH))
  if (!data && !error) return <Skeleton />
  return data?.type === 'success' ? data.data.name : <ShortId id={id} />
}

const ShortId = ({ id }: { id: string }) => (
  <span className="font-mono text-xs" title={id}>
    {truncate(id, 12, 'middle')}
  </span>
)
