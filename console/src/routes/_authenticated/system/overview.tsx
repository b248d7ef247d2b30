import { useQueries } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Boxes, Cloud, LayoutDashboard, Server } from 'lucide-react'
import { useMemo, useState } from 'react'

import { siloUtilizationList, sledInstanceList, sledList } from '~/api/generated/operations'
import type { Sled } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import { useSession } from '~/app/session'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/overview'
import { concernPath, concernsOf } from '~/resource/attention'
import { AuditActivity } from '~/resource/audit-activity'
import { ConcernCard } from '~/resource/concern-card'
import { InstanceStates, Tile } from '~/resource/overview-tile'
import { totalUtilization } from '~/resource/silo-utilization'
import { SLEDS_PATH } from '~/resource/system-paths'
import { UtilizationBars } from '~/resource/utilization-bars'
import { Button } from '~/ui/button'
import { PageHeader } from '~/ui/page-header'
import { useNow } from '~/ui/use-now'

import { TightSilos } from './-tight-silos'

const utilizations = q(siloUtilizationList, { query: { limit: allItems } })
const sleds = q(sledList, { query: { limit: allItems } })
const instancesOn = (sledId: string) =>
  q(sledInstanceList, { path: { sledId }, query: { limit: allItems } }, { allowNotFound: true })

/** With more sleds than this, their instances are fetched only when asked for: it is one request for each. */
const CHECKED_AT_ONCE = 10

export const Route = createFileRoute('/_authenticated/system/overview')({
  loader: ({ context: { queryClient } }) =>
    Promise.all([load(queryClient, utilizations), load(queryClient, sleds)]),
  staticData: { crumb: { label: crumbs.overviewLabel } },
  component: SystemOverview,
})

const takesInstances = ({ policy }: Sled) =>
  policy.kind === 'in_service' && policy.provisionPolicy === 'provisionable'

function SystemOverview() {
  const { items: silos } = useLoaded(utilizations)
  const { items: allSleds } = useLoaded(sleds)
  const { provisioned, allocated } = useMemo(() => totalUtilization(silos), [silos])
  return (
    <>
      <PageHeader icon={<LayoutDashboard />} title={text.overviewTitle} />
      <div className="space-y-6">
        <div className="grid gap-4 sm:grid-cols-2">
          <Tile icon={Cloud} label={text.silosLabel} count={silos.length} href="/system/silos" />
          <Tile icon={Boxes} label={text.sledsLabel} count={allSleds.length} href={SLEDS_PATH}>
            <span className="text-sm text-fg-muted">
              {text.sledsOpenText(allSleds.filter(takesInstances).length)}
            </span>
          </Tile>
        </div>
        <Instances sledIds={allSleds.map(({ id }) => id)} />
        <TightSilos silos={silos} />
        <AuditActivity />
        <section aria-label={text.allQuotasTitle} className="space-y-3">
          <h2 className="text-base font-semibold">{text.allQuotasTitle}</h2>
          <UtilizationBars
            provisioned={provisioned}
            capacity={allocated}
            capacityLabel={text.quotaLabel}
          />
        </section>
      </div>
    </>
  )
}

/** How the instances on the sleds are. */
function Instances({ sledIds }: { sledIds: readonly string[] }) {
  const { siloName: ownSilo } = useSession().me
  const [isAsked, setAsked] = useState(false)
  const isChecked = isAsked || sledIds.length <= CHECKED_AT_ONCE
  const answers = useQueries({
    queries: sledIds.map((id) => ({ ...instancesOn(id), enabled: isChecked })),
  })
  const now = useNow()
  if (!isChecked) {
    return (
      <Button needs={null} variant="secondary" onPress={() => setAsked(true)}>
        {text.checkSledsLabel(sledIds.length)}
      </Button>
    )
  }
  const instances = answers
    .flatMap(({ data }) => data?.items ?? [])
    .map((instance) => ({
      ...instance,
      runState: instance.state,
      timeRunStateUpdated: instance.timeModified,
    }))
  const concerns = instances.flatMap((instance) => {
    const { siloName, projectName, activeSledId } = instance
    return concernsOf({ instances: [instance] }, now).map((concern) => ({
      ...concern,
      // The instances of other silos have no screen.
      href:
        siloName === ownSilo
          ? concernPath(concern, projectName)
          : `${SLEDS_PATH}/${activeSledId}/instances`,
      where: text.placeText(siloName, projectName),
    }))
  })
  return (
    <>
      <Tile
        icon={Server}
        label={text.onSledsLabel}
        count={instances.length}
        href={`${SLEDS_PATH}${sledIds[0] === undefined ? '' : `/${sledIds[0]}/instances`}`}
      >
        <InstanceStates instances={instances} />
      </Tile>
      <ConcernCard concerns={concerns} isPending={answers.some(({ isPending }) => isPending)} />
    </>
  )
}
