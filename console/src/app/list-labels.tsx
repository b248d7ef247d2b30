import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'

import * as text from '~/messages/labels'
import { onDemand, tellMissing } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

/** Most resources whose labels are asked for at once. */
const AT_ONCE = 100

/** What the rows of a list are, if they can have labels. */
export interface ListLabels {
  /** The kind, as the server's events have it. */
  kind: string
  /** The project that they are in. */
  project?: string
  /** Path of the list. */
  path: string
}

const LabelsCell = onDemand(async () => (await import('~/resource/label-chips')).LabelsCell)

/** The columns of a list, with that of labels before the last one. */
export function useColumnsWithLabels<Row extends object>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  labels: ListLabels | undefined,
): readonly Column<Row>[] {
  const ids = rows.map(idOf).join()
  const { kind, project, path } = labels ?? {}
  return useMemo(() => {
    if (kind === undefined || path === undefined) return columns
    const all = ids.split(',')
    const around = (id: string) => {
      const first = Math.floor(all.indexOf(id) / AT_ONCE) * AT_ONCE
      return all.slice(first, first + AT_ONCE).join()
    }
    const column: Column<Row> = {
      id: 'labels',
      header: text.labelsLabel,
      width: 240,
      usualFrom: Infinity,
      cell: (row) => (
        <LabelsCell
          id={idOf(row)}
          query={{ kind, ...(project && { project }), ids: around(idOf(row)) }}
          path={path}
        />
      ),
    }
    return columns.toSpliced(-1, 0, column)
  }, [columns, ids, kind, project, path])
}

const idOf = (row: object) => String((row as { id?: unknown }).id)

/** The labels that a list is filtered by, as the URL has them, and what changes them. */
export function useLabelSelector() {
  const { label } = useLocation().search as { label?: unknown }
  const navigate = useNavigate()
  const select = (wanted: string | undefined) =>
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, label: wanted, pageToken: undefined }),
      resetScroll: false,
    })
  return { selector: typeof label === 'string' && label !== '' ? label : undefined, select }
}

/** Opens the form that adds a label to what a list is filtered by. */
export const openLabelFilter = (
  labels: ListLabels,
  selector: string | undefined,
  select: (selector: string) => void,
) =>
  void import('./label-filter').then(
    ({ askForLabel }) => askForLabel(labels, selector, select),
    tellMissing,
  )

/** Loaded when the URL names labels. */
export const LabelledList = onDemand(async () => (await import('./label-filter')).LabelledList)
