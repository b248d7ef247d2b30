import type { PhysicalDisk } from '~/api/generated/types.gen'
import * as text from '~/messages/hardware'
import { EmptyCell } from '~/ui/empty-cell'
import type { Column } from '~/ui/table-column'

import { DiskPolicyBadge, FormFactorBadge, HardwareStateBadge } from './hardware-badges'
import { SledLink } from './sled-link'

const columns: Column<PhysicalDisk>[] = [
  {
    id: 'id',
    header: text.idColumnLabel,
    isName: true,
    width: 320,
    cell: ({ id }) => id,
  },
  {
    id: 'form-factor',
    filter: {},
    header: text.formFactorLabel,
    width: 110,
    value: ({ formFactor }) => formFactor,
    cell: ({ formFactor }) => <FormFactorBadge formFactor={formFactor} />,
  },
  {
    id: 'model',
    filter: {},
    header: text.modelNumberLabel,
    width: 200,
    cell: ({ model }) => model,
  },
  { id: 'serial', header: text.serialNumberLabel, width: 180, cell: ({ serial }) => serial },
  {
    id: 'policy',
    filter: {},
    header: text.policyLabel,
    width: 110,
    isKey: true,
    value: ({ policy }) => policy.kind,
    cell: ({ policy }) => <DiskPolicyBadge policy={policy} />,
  },
  {
    id: 'state',
    filter: {},
    header: text.stateLabel,
    width: 130,
    value: ({ state }) => state,
    cell: ({ state }) => <HardwareStateBadge state={state} />,
  },
]

/** The columns of the physical disks of one sled. */
export const sledDiskColumns = columns

/** The columns of the physical disks of all sleds, including the sled. */
export const physicalDiskColumns: Column<PhysicalDisk>[] = [
  ...columns,
  {
    id: 'sled',
    filter: {},
    header: text.sledLabel,
    width: 140,
    value: ({ sledId }) => sledId,
    cell: ({ sledId }) => (sledId ? <SledLink id={sledId} /> : <EmptyCell />),
  },
]
