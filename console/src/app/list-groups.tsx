import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useId, useMemo } from 'react'
import type { ReactNode } from 'react'

import * as text from '~/messages/labels'
import { labelled } from '~/resource/label-batch'
import { labelText } from '~/resource/label-rules'
import { Button } from '~/ui/button'
import { Message } from '~/ui/message'

import type { ListLabels } from './list-labels'
import { naturalKey } from './list-rows'
import { filterField } from './shortcuts'

interface LabelGroupsProps<Row> {
  labels: ListLabels
  /** The key of the labels by which rows are grouped. */
  group: string
  /** Puts the rows into one list again. */
  ungroup: () => void
  rows: readonly Row[]
  isLoading: boolean
  /** How many rows there are. */
  note?: string
  /** All rows in one table: shown as long as there are no groups. */
  whole: ReactNode
  /** Shows the rows of a group of this name. */
  table: (rows: readonly Row[], name: string) => ReactNode
}

/** The rows of a list in groups by the values of a label, in the natural order of these. */
export function LabelGroups(props: LabelGroupsProps<object>) {
  const { labels, group, ungroup, rows, isLoading, note, whole, table } = props
  const { data, error } = useQuery(labelled(labels, group))
  const groups = useMemo(
    () => groupsOf(rows, valuesOf(data?.items ?? [], group)),
    [rows, data, group],
  )
  return (
    <div className="space-y-6">
      <div className="flex flex-wrap items-center gap-2 text-sm text-fg-muted">
        {text.groupedText(group)}
        <Button
          needs={null}
          variant="ghost"
          size="sm"
          onPress={() => {
            ungroup()
            filterField()?.focus()
          }}
        >
          <X aria-hidden="true" />
          {text.ungroupLabel}
        </Button>
      </div>
      {error && (
        <Message tone="danger" title={text.groupErrorTitle}>
          {error.message}
        </Message>
      )}
      {isLoading || rows.length === 0 || !data
        ? whole
        : groups.map(([value, members]) => (
            <Group
              key={value === undefined ? '' : `=${value}`}
              title={
                value === undefined ? text.ungroupedText(group) : labelText({ key: group, value })
              }
              count={members.length}
            >
              {(title) => table(members, title)}
            </Group>
          ))}
      {note && <p className="text-sm text-fg-muted">{note}</p>}
    </div>
  )
}

interface GroupProps {
  title: string
  count: number
  children: (title: string) => ReactNode
}

function Group({ title, count, children }: GroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="space-y-2">
      <h2 id={id} className="flex items-baseline gap-2 text-sm font-semibold">
        <span className="min-w-0 truncate font-mono" title={title}>
          {title}
        </span>
        <span className="font-normal text-fg-muted tabular">{count.toLocaleString()}</span>
      </h2>
      {children(title)}
    </section>
  )
}

type Labelled = { id: string; labels: readonly { key: string; value: string }[] }

/** The values of a key, by the ids of what has them. */
const valuesOf = (items: readonly Labelled[], key: string): ReadonlyMap<string, string> =>
  new Map(
    items.flatMap(({ id, labels }) =>
      labels.filter((label) => label.key === key).map(({ value }) => [id, value] as const),
    ),
  )

/** Rows by their values, each group in the order of the rows. Those without a value come last. */
export function groupsOf<Row extends object>(
  rows: readonly Row[],
  values: ReadonlyMap<string, string>,
): [value: string | undefined, rows: Row[]][] {
  const groups = new Map<string | undefined, Row[]>()
  for (const row of rows) {
    const value = values.get((row as { id?: string }).id ?? '')
    const group = groups.get(value)
    if (group) group.push(row)
    else groups.set(value, [row])
  }
  // Nothing that a value can begin with stands behind this.
  const order = (value: string | undefined) => (value === undefined ? '\uffff' : naturalKey(value))
  return [...groups].toSorted(([one], [other]) => (order(one) < order(other) ? -1 : 1))
}
