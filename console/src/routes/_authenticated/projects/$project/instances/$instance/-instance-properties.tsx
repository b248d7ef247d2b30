import type { Instance } from '~/api/generated/types.gen'
import { CpuCount } from '~/resource/instance-cells'
import { isTransitioning } from '~/resource/instance-state'
import { InstanceStateBadge } from '~/resource/instance-state-badge'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { onDemand } from '~/ui/on-demand'
import { PropertiesTable } from '~/ui/properties-table'
import { Tooltip } from '~/ui/tooltip'
import { Truncate } from '~/ui/truncate'

const AutoRestartStatus = onDemand(
  async () => (await import('~/resource/auto-restart-status')).AutoRestartStatus,
)

interface InstancePropertiesProps {
  project: string
  instance: Instance
}

/** What an instance is and how it is doing. */
export function InstanceProperties({ project, instance }: InstancePropertiesProps) {
  return (
    <PropertiesTable columns={2} className="mb-6">
      <PropertiesTable.Row label="cpu">
        <CpuCount count={instance.ncpus} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="ram">
        <ByteSize bytes={instance.memory} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="state">
        <State project={project} instance={instance} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="hostname">
        <span className="font-mono text-xs break-all">{instance.hostname}</span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Description">
        <DescriptionCell text={instance.description} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Created">
        <DateTime value={instance.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="ID">
        <span className="min-w-0 font-mono text-xs">
          <Truncate text={instance.id} max={32} position="middle" copy />
        </span>
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}

function State({ project, instance }: InstancePropertiesProps) {
  const badge = <InstanceStateBadge state={instance.runState} />
  return (
    <>
      {isTransitioning(instance) ? (
        <Tooltip content="This page updates by itself while the state changes">
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
