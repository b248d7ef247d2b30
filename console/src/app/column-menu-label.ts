import { capitalise } from '~/lib/text'
import { columnLabel } from '~/ui/table-column'
import type { Column } from '~/ui/table-column'

/** Acronyms, which headers write small. */
const ACRONYM = /\b(?:cpu|dns|id|ip|mac|os|ram|vpc)(?=s?\b)/g

/** What a column is called in menus: as their other entries are written. */
export function columnMenuLabel<R>(column: Column<R>): string {
  const label = columnLabel(column).replace(ACRONYM, (acronym) => acronym.toUpperCase())
  // "vCPUs" begins small everywhere.
  return /^\p{Ll}+\p{Lu}/u.test(label) ? label : capitalise(label)
}
