import type { Disk, Instance } from '~/api/generated/types.gen'
import * as common from '~/messages/common'
import * as text from '~/messages/disk-screens'
import * as shared from '~/messages/project-screens'
import { DiskStateBadge } from '~/resource/disk-state-badge'
import { Badge } from '~/ui/badge'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyCell } from '~/ui/empty-cell'
import { Link } from '~/ui/link'
import { PropertiesTable } from '~/ui/properties-table'

interface DiskPropertiesProps {
  project: string
  disk: Disk
  /** The instance that it is attached to. */
  instance: Instance | undefined
}

/** The facts about a disk. */
export function DiskProperties({ project, disk, instance }: DiskPropertiesProps) {
  return (
    <PropertiesTable columns={2}>
      <PropertiesTable.Row label={shared.stateColumnLabel}>
        <DiskStateBadge state={disk.state.state} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.attachedToLabel}>
        {instance ? (
          <>
            <Link
              href={`/projects/${project}/instances/${instance.name}/storage`}
              className="min-w-0 rounded-sm break-all text-fg underline decoration-line-strong underline-offset-3 hover:decoration-current"
            >
              {instance.name}
            </Link>
            {instance.bootDiskId === disk.id && <Badge tone="neutral">{text.bootDiskLabel}</Badge>}
          </>
        ) : (
          <EmptyCell />
        )}
      </PropertiesTable.Row>
      <PropertiesTable.Row label={common.sizeLabel}>
        <ByteSize bytes={disk.size} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.blockSizeLabel}>
        <ByteSize bytes={disk.blockSize} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={common.descriptionLabel}>
        <DescriptionCell text={disk.description} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={common.createdLabel}>
        <DateTime value={disk.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Id id={disk.id} />
      <PropertiesTable.Row label={shared.lastModifiedLabel}>
        <DateTime value={disk.timeModified} />
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}
