import type { Silo } from '~/api/generated/types.gen'
import { IdentityModeBadge } from '~/resource/silo-identity-mode'
import { BooleanCell } from '~/ui/boolean-cell'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { PropertiesTable } from '~/ui/properties-table'
import { Truncate } from '~/ui/truncate'

/** The facts of a silo above its tabs. */
export function SiloProperties({ silo }: { silo: Silo }) {
  return (
    <PropertiesTable columns={2}>
      <PropertiesTable.Row label="ID">
        <span className="min-w-0 font-mono text-xs">
          <Truncate text={silo.id} max={32} copy />
        </span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Description">
        <DescriptionCell text={silo.description} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Created">
        <DateTime value={silo.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Last Modified">
        <DateTime value={silo.timeModified} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Identity mode">
        <IdentityModeBadge mode={silo.identityMode} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Discoverable">
        <BooleanCell value={silo.discoverable} />
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}
