import type { Silo } from '~/api/generated/types.gen'
import * as common from '~/messages/common'
import * as text from '~/messages/silo-detail-screens'
import { IdentityModeBadge } from '~/resource/silo-identity-mode'
import { BooleanCell } from '~/ui/boolean-cell'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { PropertiesTable } from '~/ui/properties-table'

/** The properties of a silo, above its tabs. */
export function SiloProperties({ silo }: { silo: Silo }) {
  return (
    <PropertiesTable columns={2}>
      <PropertiesTable.Id id={silo.id} />
      <PropertiesTable.Row label={common.descriptionLabel}>
        <DescriptionCell text={silo.description} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.createdLabel}>
        <DateTime value={silo.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.lastModifiedLabel}>
        <DateTime value={silo.timeModified} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.identityModeLabel}>
        <IdentityModeBadge mode={silo.identityMode} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.discoverableLabel}>
        <BooleanCell value={silo.discoverable} />
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}
