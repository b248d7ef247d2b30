import { ChevronRight } from 'lucide-react'

import { allItems } from '~/api/list'
import * as text from '~/messages/lists'
import { Button } from '~/ui/button'
import { buttonClass } from '~/ui/button-class'
import { EmptyMessage } from '~/ui/empty-message'
import { FilterField } from '~/ui/filter-field'
import { MenuButton } from '~/ui/menu'
import type { MenuIcon } from '~/ui/menu'
import { columnLabel } from '~/ui/table-column'
import type { Column } from '~/ui/table-column'

import { filtersOf, withFilter, withoutFilters, withText } from './list-view'
import type { ListView } from './list-view'
import { filterField } from './shortcuts'
import type { Found } from './use-found'
import { useUrlText } from './use-url-text'

interface ControlsProps<R> {
  columns: readonly Column<R>[]
  view: ListView
  choose: (view: ListView) => void
  /** Values that rows of the list have, where all of its rows are known: others need not be offered. */
  rows?: readonly R[]
}

/** What is searched for in a list, and a filter for each column with few values. */
export function ListControls<R>({ columns, view, choose, rows }: ControlsProps<R>) {
  const [typed, type] = useUrlText(view.q ?? '', (next) => choose(withText(view, next)))
  return (
    <>
      <FilterField
        label={text.searchLabel}
        value={typed}
        onChange={type}
        className="w-48 max-md:w-full"
      />
      {columns.map((column) => (
        <ColumnFilter key={column.id} column={column} view={view} choose={choose} rows={rows} />
      ))}
    </>
  )
}

function ColumnFilter<R>({
  column,
  view,
  choose,
  rows,
}: Omit<ControlsProps<R>, 'columns'> & { column: Column<R> }) {
  const { id, choices, value } = column
  if (!choices) return null
  const chosen = filtersOf(view).get(id)
  const present = rows && value && new Set(rows.map((row) => String(value(row))))
  const offered = choices.filter((choice) => !present || present.has(choice) || chosen?.has(choice))
  if (offered.length < 2 && !chosen) return null
  const label = columnLabel(column)
  return (
    <MenuButton
      label={text.filterLabel(label)}
      trigger={
        <>
          <span className="truncate">{chosen ? [...chosen].join(', ') : label}</span>
          <ChevronRight aria-hidden="true" className="rotate-90" />
        </>
      }
      items={[
        {
          id,
          checks: label,
          options: offered.map((choice) => ({ id: choice, label: choice })),
          checked: [...(chosen ?? [])],
          onCheck: (ids) => choose(withFilter(view, id, ids)),
        },
      ]}
      className={buttonClass({
        variant: 'secondary',
        size: 'sm',
        className: chosen ? 'max-w-60 border-accent-border bg-accent-bg text-accent-text' : '',
      })}
    />
  )
}

/** Shown instead of rows when none passes the search and the filters. */
export function NoneFound({
  icon: Icon,
  view,
  choose,
}: {
  icon: MenuIcon
  view: ListView
  choose: (view: ListView) => void
}) {
  return (
    <EmptyMessage
      icon={<Icon />}
      title={text.noneFoundTitle}
      body={text.noneFoundHelp}
      action={
        <Button
          needs={null}
          variant="secondary"
          size="sm"
          onPress={() => {
            choose(withoutFilters(view))
            filterField()?.focus()
          }}
        >
          {text.clearLabel}
        </Button>
      }
    />
  )
}

// Not by `lib/numbers`, which would be one more file of every list. Making the first formatter takes a browser some 10 ms.
const formatInteger = (count: number) => (count < 1000 ? String(count) : count.toLocaleString())

/** How many rows there are. */
export function listTotal({
  total,
  all,
  isPartial,
}: Pick<Found<unknown>, 'total' | 'all' | 'isPartial'>): string | undefined {
  if (isPartial) return text.firstOnlyText(formatInteger(allItems))
  if (!total) return undefined
  const count = formatInteger(total.count)
  if (all !== undefined) return text.foundText(count, formatInteger(all))
  return total.isExact ? text.totalText(count) : text.aboutTotalText(count)
}
