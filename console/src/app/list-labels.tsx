import { createContext, useMemo, useState } from 'react'

import * as text from '~/messages/label-menu'
import type { LabelPlace } from '~/resource/label-batch'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

import { LABELS, withLabel } from './list-view'
import type { ListView } from './list-view'

/** What the rows of a list are, if they can have labels. */
export interface ListLabels extends LabelPlace {
  /** Path of the list. */
  path: string
}

/** Filters the list that is shown by a label, in the place of those that it is filtered by. */
export const LabelSelection = createContext<((label: string) => void) | undefined>(undefined)

const LabelsCell = onDemand(async () => (await import('./labels-cell')).LabelsCell)

/** The columns of a list, with that of labels before the last one. */
export function useLabelledColumns<Row extends object>(
  columns: readonly Column<Row>[],
  labels: ListLabels | undefined,
): readonly Column<Row>[] {
  const { kind, project, path } = labels ?? {}
  return useMemo(() => {
    if (kind === undefined || path === undefined) return columns
    const column: Column<Row> = {
      id: LABELS,
      header: text.labelsLabel,
      width: 240,
      usualFrom: Infinity,
      cell: (row) => <LabelsCell id={(row as { id: string }).id} {...{ kind, project, path }} />,
    }
    return columns.toSpliced(-1, 0, column)
  }, [columns, kind, project, path])
}

/** Loaded when a list is filtered by labels. */
const LabelFilters = onDemand(async () => (await import('./label-filter')).LabelFilters)

/** Loaded when a list is grouped. */
export const LabelGroups = onDemand(async () => (await import('./list-groups')).LabelGroups)

/** What has the labels of a selector. */
export interface Labelled {
  selector: string
  ids: ReadonlySet<string>
}

interface FilterOptions {
  view: ListView
  choose: (view: ListView) => void
  /** The server filters the list: otherwise it is asked what has the labels. */
  isByServer: boolean
}

/** The labels that a list is filtered by. */
export function useLabelFilter(
  labels: ListLabels | undefined,
  { view, choose, isByServer }: FilterOptions,
) {
  const { label: selector } = view
  const [found, setFound] = useState<Labelled>()
  const select = (wanted: string) => choose(withLabel(view, wanted))
  return {
    select,
    /** Ids of what has the labels, where the server does not filter. */
    ids: found?.selector === selector ? found?.ids : undefined,
    /** What the list is filtered by. */
    bar: (failure: Error | undefined) =>
      labels &&
      selector && (
        <LabelFilters
          {...{ labels, selector, select, failure }}
          onFound={isByServer ? undefined : setFound}
        />
      ),
  }
}
