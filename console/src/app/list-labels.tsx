import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

import * as text from '~/messages/labels'
import type { LabelPlace } from '~/resource/label-batch'
import { onDemand, tellMissing } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

import type { LabelFilter } from './use-found'

/** What the rows of a list are, if they can have labels. */
export interface ListLabels extends LabelPlace {
  /** Path of the list. */
  path: string
}

/** The column of labels. */
export const LABELS = 'labels'

const LabelsCell = onDemand(async () => (await import('~/resource/label-chips')).LabelsCell)

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

/** Loaded when the URL names labels. */
const LabelFilters = onDemand(async () => (await import('./label-filter')).LabelFilters)

/**
 * The labels that a list is filtered by, as the URL has them.
 *
 * @param isByServer whether the server filters: otherwise it is asked which rows have the labels.
 */
export function useLabelFilter(labels: ListLabels | undefined, isByServer: boolean) {
  const { label } = useLocation().search as { label?: unknown }
  const navigate = useNavigate()
  const [found, setFound] = useState<LabelFilter>()
  const selector = labels && typeof label === 'string' && label ? label : undefined
  const select = (wanted: string | undefined) =>
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, label: wanted, pageToken: undefined }),
      resetScroll: false,
    })
  const filter = selector === found?.selector ? found : selector && { selector }
  return {
    filter: filter || undefined,
    select,
    /** Asks for a further label. */
    add:
      labels &&
      (() =>
        void import('./label-filter').then(
          ({ askForLabel }) => askForLabel(labels, selector, select),
          tellMissing,
        )),
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
