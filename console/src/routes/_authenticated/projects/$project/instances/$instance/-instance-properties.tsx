import { Fragment } from 'react'

import type { Instance } from '~/api/generated/types.gen'
import { useLoaded } from '~/api/query'
import * as common from '~/messages/common'
import * as text from '~/messages/instance-screens'
import * as labels from '~/messages/label-menu'
import * as shared from '~/messages/project-screens'
import { ExternalIpLink } from '~/resource/external-ip-link'
import { reachableIps } from '~/resource/external-ips'
import { CpuCount } from '~/resource/instance-cells'
import { isTransitioning } from '~/resource/instance-state'
import { InstanceStateBadge } from '~/resource/instance-state-badge'
import { VpcName } from '~/resource/named-by-id'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyCell } from '~/ui/empty-cell'
import { Link } from '~/ui/link'
import { onDemand } from '~/ui/on-demand'
import { PropertiesTable } from '~/ui/properties-table'
import { Tooltip } from '~/ui/tooltip'

import { externalIps, networkInterfaces } from './-instance-queries'

const AutoRestartStatus = onDemand(
  async () => (await import('~/resource/auto-restart-status')).AutoRestartStatus,
)

const LabelsOf = onDemand(async () => (await import('~/resource/label-chips')).LabelsOf)

interface InstancePropertiesProps {
  project: string
  instance: Instance
}

/** The properties and the state of an instance. */
export function InstanceProperties({ project, instance }: InstancePropertiesProps) {
  const { items } = useLoaded(networkInterfaces({ project, instance: instance.name }))
  const primary = items.find((nic) => nic.primary)
  return (
    <PropertiesTable columns={2} className="mb-6">
      <PropertiesTable.Row label={text.cpuPropertyLabel}>
        <CpuCount count={instance.ncpus} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.ramPropertyLabel}>
        <ByteSize bytes={instance.memory} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={shared.stateColumnLabel}>
        <State project={project} instance={instance} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.vpcPropertyLabel}>
        {primary ? <VpcName id={primary.vpcId} project={project} /> : <EmptyCell />}
      </PropertiesTable.Row>
      <PropertiesTable.Row label={common.descriptionLabel}>
        <DescriptionCell text={instance.description} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={common.createdLabel}>
        <DateTime value={instance.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Id id={instance.id} />
      <PropertiesTable.Row label={text.externalIpsPropertyLabel}>
        <ExternalIps project={project} instance={instance} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.hostnamePropertyLabel}>
        <span className="font-mono text-xs break-all">{instance.hostname}</span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label={labels.labelsLabel}>
        <LabelsOf kind="instance" id={instance.id} path={`/projects/${project}/instances`} />
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}

/** The most addresses that the header shows. The networking tab shows all. */
const SHOWN_IPS = 2

function ExternalIps({ project, instance }: InstancePropertiesProps) {
  const { items } = useLoaded(externalIps({ project, instance: instance.name }))
  const ips = reachableIps(items)
  if (ips.length === 0) return <EmptyCell />
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      {ips.slice(0, SHOWN_IPS).map(({ ip }, index) => (
        <Fragment key={ip}>
          {index > 0 && <Slash />}
          <ExternalIpLink ip={ip} />
        </Fragment>
      ))}
      {ips.length > SHOWN_IPS && (
        <>
          <Slash />
          <Link
            href={`/projects/${project}/instances/${instance.name}/networking`}
            aria-label={text.allIpsLabel}
            className="rounded-sm px-1 text-fg-muted hover:text-fg"
          >
            …
          </Link>
        </>
      )}
    </span>
  )
}

const Slash = () => (
  <span aria-hidden="true" className="text-fg-subtle">
    /
  </span>
)

function State({ project, instance }: InstancePropertiesProps) {
  const badge = <InstanceStateBadge state={instance.runState} />
  return (
    <>
      {isTransitioning(instance) ? (
        <Tooltip content={text.updatingText}>
          <span
            role="img"
            aria-label={instance.runState}
            tabIndex={0}
            className="inline-flex rounded-sm"
          >
            {badge}
          </span>
        </Tooltip>
      ) : (
        badge
      )}
      {instance.runState === 'failed' && (
        <AutoRestartStatus project={project} instance={instance} />
      )}
    </>
  )
}
