import type { SiloUtilization } from '~/api/generated/types.gen'
import * as text from '~/messages/overview'
import { resourceUse } from '~/resource/silo-utilization'
import { Badge } from '~/ui/badge'
import { CardBlock } from '~/ui/card-block'
import { Link } from '~/ui/link'

/** From this share of a quota on, in percent, a silo is worth a look. */
const TIGHT = 75

/** The silos that use most of a quota, or have none. */
export function TightSilos({ silos }: { silos: readonly SiloUtilization[] }) {
  const tight = silos
    .map((silo) => ({ ...silo, ...tightness(silo) }))
    .filter(({ hasNone, percent }) => hasNone || percent > TIGHT)
  return (
    <CardBlock title={text.tightSilosTitle} flush>
      {tight.length === 0 ? (
        <p className="px-4 py-3 text-sm text-fg-muted">{text.noTightSilosText}</p>
      ) : (
        <ul aria-label={text.tightSilosTitle}>
          {tight.map(({ siloId, siloName, hasNone, percent }) => (
            <li
              key={siloId}
              className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-4 py-2.5 text-sm last:border-b-0"
            >
              <Link
                href={`/system/silos/${siloName}?tab=quotas`}
                className="min-w-0 rounded-sm break-all text-fg underline decoration-line-strong underline-offset-3 hover:decoration-current"
              >
                {siloName}
              </Link>
              <Badge tone="notice">
                {hasNone ? text.noQuotaText : text.usesText(Math.round(percent))}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </CardBlock>
  )
}

function tightness({ provisioned, allocated }: SiloUtilization) {
  const quotas = [allocated.cpus, allocated.memory, allocated.storage]
  const uses = [
    resourceUse(provisioned.cpus, allocated.cpus),
    resourceUse(provisioned.memory, allocated.memory),
    resourceUse(provisioned.storage, allocated.storage),
  ]
  return {
    hasNone: quotas.some((quota) => quota === 0),
    percent: Math.max(...uses.map(({ percent }) => percent)),
  }
}
