import type { Instance } from '~/api/generated/types.gen'
import * as text from '~/messages/instance-columns'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

import type { InstanceCellKind } from './-instance-list-cells'

/** Loaded when one of the columns is shown. */
const Cell = onDemand(async () => (await import('./-instance-list-cells')).InstanceListCell)

/** Width of the window in pixels from which there is room for the columns that most people look for. */
const WIDE = 1800
const VERY_WIDE = 2400

/**
 * The columns that the list does not need by itself: what they show is fetched for the rows that are on the screen.
 *
 * @param project its name.
 */
export function instanceColumns(project: string): Column<Instance>[] {
  const column = (
    kind: InstanceCellKind,
    header: string,
    width: number,
    usualFrom: number,
  ): Column<Instance> => ({
    id: kind,
    header,
    width,
    usualFrom,
    cell: (row) => <Cell kind={kind} instance={row} project={project} />,
  })
  return [
    column('externalIps', text.externalIpsLabel, 190, WIDE),
    column('privateIps', text.privateIpsLabel, 190, WIDE),
    column('cpuUse', text.cpuUseLabel, 170, WIDE),
    column('image', text.imageLabel, 160, VERY_WIDE),
    column('network', text.networkLabel, 200, VERY_WIDE),
    column('screen', text.screenLabel, 110, Infinity),
  ]
}
