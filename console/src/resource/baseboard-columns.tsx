import type { Baseboard } from '~/api/generated/types.gen'
import * as text from '~/messages/inventory-screens'
import type { Column } from '~/ui/table-column'

/** What identifies a piece of hardware. */
export const baseboardColumns: Column<{ baseboard: Baseboard }>[] = [
  {
    id: 'part',
    filter: {},
    header: text.partNumberLabel,
    group: text.baseboardLabel,
    width: 150,
    cell: ({ baseboard }) => baseboard.part,
  },
  {
    id: 'serial',
    header: text.serialNumberLabel,
    group: text.baseboardLabel,
    width: 170,
    cell: ({ baseboard }) => baseboard.serial,
  },
  {
    id: 'revision',
    filter: {},
    header: text.revisionLabel,
    group: text.baseboardLabel,
    width: 90,
    cell: ({ baseboard }) => baseboard.revision,
  },
]
