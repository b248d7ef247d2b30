import { Outlet } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'

import { useListPage } from '~/api/list'
import type { ListPageOptions, ResultsPage } from '~/api/list'
import type { Endpoint, Operation, OperationData, Params } from '~/api/operation'
import { q, useLoaded } from '~/api/query'
import { Button } from '~/ui/button'
import { EmptyMessage } from '~/ui/empty-message'
import type { MenuIcon } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import { PageHeader } from '~/ui/page-header'
import type { PageDocs } from '~/ui/page-header'
import { Pagination } from '~/ui/pagination'
import type { PaginationProps } from '~/ui/pagination'
import { Table } from '~/ui/table'
import type { TableProps } from '~/ui/table'

import { useActions } from './action-registry'
import { ButtonLink } from './button-link'
import { ContentActions } from './content-pane'
import type { FilterMenuProps } from './filter-menu'
import { ListControls, listTotal, NoneFound } from './list-controls'
import { LabelGroups, LabelSelection, useLabelFilter, useLabelledColumns } from './list-labels'
import type { ListLabels } from './list-labels'
import { afterPress, sortOf, useListView, withGroup } from './list-view'
import { NewButton } from './new-button'
import type { NewForm } from './new-button'
import { useFound } from './use-found'
import type { FoundData, FoundPage, ListSource } from './use-found'
import { useSeveral } from './use-several'
import { ViewMenu } from './view-menu'

/** Loaded when a list is filtered. */
const FilterChips = onDemand(async () => (await import('./filter-chips')).FilterChips)

/** What a list shows besides its columns. `Place` is what the screen's path names, for example the project. */
export interface ListLook<Place, Row> {
  /** Where the rows are from. What a person chooses to see of them is kept under its name. */
  operation: Endpoint
  /** Heading of the screen. A list without one is in a tab, below the heading of its parent. */
  title?: string
  /** Accessible name of the table. */
  label: string
  icon: MenuIcon
  docs?: PageDocs
  /** The button that opens the form for a new object. */
  create?: Creation<Place>
  /** Shown instead of a list without rows. */
  empty: {
    title: string
    body?: string | ((place: Place) => string | undefined)
    /** Text of the button to the form for something new, or another button; without it there is none. */
    button?: string | ReactElement
    isPrimary?: boolean
  }
  /** The rows are the results of a search, the best first: they are neither searched nor sorted again. */
  isRanked?: boolean
  /** Identifies a row. By its id unless given. */
  rowKey?: (row: Row) => string
  /** What the rows are, if they can have labels. */
  labels?: (place: Place) => ListLabels
}

/** The definition of a list, without its columns. */
export interface ListDefinition<Place, Data extends OperationData, Row> extends ListLook<
  Place,
  Row
> {
  operation: Operation<Data, ResultsPage<Row>>
  params: (place: Place) => Params<Data>
  /** The operation that searches, sorts and counts the list on the server. Longer lists without one are loaded whole for that. */
  found?: Operation<FoundData, FoundPage<Row>>
  /** The palette entry for each row. */
  goTo?: {
    group: string
    path: (row: Row, place: Place) => string
    icon?: MenuIcon
    /** The row's name, or else its id, unless given. */
    label?: (row: Row) => string
  }
}

type Creation<Place> = {
  operation: Endpoint
  label: string
  /** What the palette calls it, where that is not what the button says. */
  action?: string
  /** A plus unless given. */
  icon?: MenuIcon
  /** Why nothing can be created now. */
  refusal?: (place: Place) => ReactNode
} & (FormPath<Place> | FormDialog<Place>)

interface FormPath<Place> {
  path: (place: Place) => string
  dialog?: undefined
}

/** A form that has no path of its own. It stays open when the list has got its first row. */
interface FormDialog<Place> {
  path?: undefined
  dialog: (place: Place, closing: Closing) => ReactNode
  /** Fetches the code of the dialog. */
  preload: () => void
}

/** How a dialog on demand is closed. */
interface Closing {
  onDismiss: () => void
  onMissing: () => void
}

interface MaybeNamed {
  id?: string
  name?: string
}

/** Rows without an id need another key. */
type KeyOf<Row> = Row extends { id: string } ? unknown : { rowKey: (row: Row) => string }

/** Defines a list, for {@link useList} and {@link ListScreen}. */
export const defineList = <Place, Data extends OperationData, Row extends object>(
  definition: ListDefinition<Place, Data, Row> & KeyOf<Row>,
): ListDefinition<Place, Data, Row> => definition

/** Rows with the list that they are of, and with its place. */
export interface ShownList<Place, Row> extends ListPage<Row> {
  list: ListLook<Place, Row>
  place: Place
  /** Where more of the list is than the page has. */
  source?: ListSource<Row>
}

/** What {@link useList} returns. */
export type List<Place, Row> = PagedList<Row> & ShownList<Place, Row>

/** The current page of a list. If the list has `goTo`, its rows are added to the palette. */
export function useList<Data extends OperationData, Row extends object>(
  list: ListDefinition<undefined, Data, Row>,
): List<undefined, Row>
export function useList<Place, Data extends OperationData, Row extends object>(
  list: ListDefinition<Place, Data, Row>,
  place: Place,
  extra?: ListPageOptions<Data, Row>,
): List<Place, Row>
export function useList<Place, Data extends OperationData, Row extends object>(
  list: ListDefinition<Place | undefined, Data, Row>,
  place?: Place,
  extra?: ListPageOptions<Data, Row>,
): List<Place | undefined, Row> {
  const { operation, params, found, goTo } = list
  const page = useListPage(operation, params(place), extra)
  const { items } = page
  useActions(
    useMemo(
      () =>
        goTo
          ? items.map((row) => {
              const { id = '', name = id } = row as MaybeNamed
              return {
                id,
                label: goTo.label?.(row) ?? name,
                group: goTo.group,
                icon: goTo.icon,
                href: goTo.path(row, place),
              }
            })
          : [],
      [goTo, items, place],
    ),
  )
  return { ...page, list, place, source: { operation, found, params: params(place) } }
}

/** All rows of a list that is shown as a whole; the route's loader has fetched them. */
export function useWholeList<Place, Data extends OperationData, Row extends object>(
  list: ListDefinition<Place, Data, Row>,
  place: Place,
): ShownList<Place, Row> {
  const { items } = useLoaded(q(list.operation, list.params(place)))
  return { items, isLoading: false, list, place }
}

/** Row menus that say nothing but "Copy ID". */
export const noRowActions = () => []

type ListProps<Place, Row extends object> = {
  page: ShownList<Place, Row>
  /** Controls beside the button for something new. */
  actions?: ReactNode
  /** In a tab: what stands beside the controls. */
  note?: ReactNode
  /** Replaces the list's own empty state. */
  empty?: ReactNode
  /** Further content, such as notes and dialogs. */
  children?: ReactNode
} & Pick<TableProps<Row>, 'columns' | 'rowActions' | 'aroundRowMenu' | 'rowHeight' | 'copyIdLabel'>

/** The screen of a list: its heading or toolbar, the table, and what its routes show over it. */
export function ListScreen<Place, Row extends object>(props: ListProps<Place, Row>) {
  return (
    <>
      <ListTab {...props} />
      <Outlet />
    </>
  )
}

/** {@link ListScreen} without the outlet, for a tab that is no route. */
export function ListTab<Place, Row extends object>(props: ListProps<Place, Row>) {
  const { list, place } = props.page
  // What is searched for and selected in a list is not so in the same list of another place. The router keeps the screen.
  return <ListContent key={list.isRanked ? undefined : identityOf(place)} {...props} />
}

/** What tells a place from others: the id of a resource, whatever else it says of itself, or the names in the path. */
function identityOf(place: unknown): string {
  const isResource = typeof place === 'object' && place !== null && 'id' in place
  return isResource ? String(place.id) : JSON.stringify(place)
}

function ListContent<Place, Row extends object>({
  page,
  actions,
  note: aside,
  empty,
  children,
  ...table
}: ListProps<Place, Row>) {
  const { list, place } = page
  const { title, label, icon: Icon, docs, rowKey = idOf } = list
  const { form, button, dialog } = useCreation(page)
  const { rowActions } = table
  const labels = list.labels?.(place)
  const columns = useLabelledColumns(table.columns, labels)
  const { shown, ...how } = useListView(list.operation.name, columns, list.isRanked)
  const { view, choose } = how
  const byLabel = useLabelFilter(labels, { ...how, isByServer: page.source?.found !== undefined })
  const found = useFound(page, columns, view, byLabel.ids)
  const { items } = found
  const filtering = { ...how, columns, page, labels, labelled: byLabel.ids }
  const { selection, bar } = useSeveral(items, rowKey, rowActions)
  const viewMenu = !isEmpty(page) && (
    <>
      {!list.isRanked && <ListControls {...filtering} size={title ? undefined : 'sm'} />}
      <ViewMenu
        {...how}
        columns={columns}
        shown={shown}
        page={{ ...page, items, labels }}
        size={title ? undefined : 'sm'}
      />
    </>
  )
  const controls = (actions || viewMenu || button) && (
    <>
      {actions}
      {viewMenu}
      {button}
    </>
  )
  const note = listTotal(found)
  const tableOf = (rows: ListPage<Row>, name: string, total?: string) => (
    <KeyedListTable
      {...table}
      columns={shown}
      selection={selection}
      isCompact={view.density === 'compact'}
      sorting={
        list.isRanked
          ? undefined
          : { ...sortOf(view), onPress: (id) => choose(afterPress(view, id)) }
      }
      label={name}
      page={rows}
      note={total}
      rowKey={rowKey}
      empty={
        found.isFiltered && !isEmpty(page) ? (
          <NoneFound icon={Icon} view={view} choose={choose} />
        ) : (
          (empty ?? <EmptyList {...page} form={form} />)
        )
      }
    />
  )
  const content = (
    <LabelSelection value={byLabel.select}>
      {view.filter && <FilterChips {...(filtering as unknown as FilterMenuProps<object>)} />}
      {byLabel.bar(found.failure)}
      {labels && view.group ? (
        <LabelGroups
          {...{ labels, note }}
          group={view.group}
          ungroup={() => choose(withGroup(view, ''))}
          rows={items}
          isLoading={found.isLoading}
          whole={tableOf(found, label)}
          table={(rows, name) =>
            tableOf({ items: rows as Row[], isLoading: false }, `${label}: ${name}`)
          }
        />
      ) : (
        tableOf(found, label, note)
      )}
      {bar}
      {children}
      {dialog}
    </LabelSelection>
  )
  if (!title) {
    return (
      <div className="space-y-4">
        {(aside || controls) && (
          <div className="flex flex-wrap items-center justify-end gap-3">
            {aside && <div className="mr-auto text-sm text-fg-muted">{aside}</div>}
            {controls}
          </div>
        )}
        {content}
      </div>
    )
  }
  return (
    <>
      <PageHeader icon={<Icon />} title={title} docs={docs} actions={controls} />
      {content}
    </>
  )
}

// The types require `rowKey` for rows without an id.
const idOf = (row: object): string => (row as { id: string }).id

/** The form for something new, with its button. */
function useCreation<Place, Row>({ list: { create, title }, place }: ShownList<Place, Row>) {
  const [isOpen, setOpen] = useState(false)
  const open = useCallback(() => setOpen(true), [])
  const close = useCallback(() => setOpen(false), [])
  if (!create) return {}
  const { operation, label, action, icon, refusal } = create
  const form: NewForm = create.path ? { to: create.path(place) } : { open, preload: create.preload }
  return {
    form,
    button: (
      <NewButton
        {...form}
        needs={operation}
        action={action}
        icon={icon}
        refusal={refusal?.(place)}
        size={title ? undefined : 'sm'}
      >
        {label}
      </NewButton>
    ),
    dialog: isOpen && create.dialog?.(place, { onDismiss: close, onMissing: close }),
  }
}

/** Shown instead of a list without rows. */
function EmptyList<Place, Row>({
  list: { icon: Icon, create, empty },
  place,
  form,
}: Pick<ShownList<Place, Row>, 'list' | 'place'> & { form: NewForm | undefined }) {
  const { title, body, button, isPrimary } = empty
  return (
    <EmptyMessage
      icon={<Icon />}
      title={title}
      body={typeof body === 'function' ? body(place) : body}
      action={
        typeof button === 'string' && form && create ? (
          <FormButton form={form} needs={create.operation} isPrimary={isPrimary}>
            {button}
          </FormButton>
        ) : (
          button
        )
      }
    />
  )
}

function FormButton({
  form,
  isPrimary,
  ...props
}: {
  form: NewForm
  needs: Endpoint
  isPrimary?: boolean
  children: string
}) {
  const look = { variant: isPrimary ? 'primary' : 'secondary', size: 'sm' } as const
  return form.open ? (
    <Button {...look} {...props} onPress={form.open} />
  ) : (
    <ButtonLink {...look} {...props} to={form.to} />
  )
}

/** Whether a list is known to have no rows. */
const isEmpty = ({ items, isLoading, pagination }: ListPage<unknown>) =>
  items.length === 0 && !isLoading && !pagination?.hasPrevious

type PagedList<Row> = ReturnType<typeof useListPage<never, Row>>

/** What {@link useListPage} gives, as far as a table shows it. A list that is shown as a whole has no pagination. */
type ListPage<Row> = Pick<PagedList<Row>, 'items' | 'isLoading'> & { pagination?: PaginationProps }

interface ListTableBase<Row extends object> extends Pick<
  TableProps<Row>,
  | 'label'
  | 'columns'
  | 'rowActions'
  | 'aroundRowMenu'
  | 'copyIdLabel'
  | 'rowHeight'
  | 'isCompact'
  | 'selection'
  | 'sorting'
> {
  page: ListPage<Row>
  /** How many rows there are. */
  note?: string
  /** Shown instead of a list without rows. */
  empty: ReactNode
}

/** Rows are identified by their ids. Rows without one need `rowKey`. */
type ListTableProps<Row extends object> = ListTableBase<Row> &
  (Row extends { id: string } ? { rowKey?: never } : Pick<TableProps<Row>, 'rowKey'>)

/** The table of a paged list, with its pagination at the bottom of the pane. */
export const ListTable = <Row extends object>(props: ListTableProps<Row>) => (
  <KeyedListTable {...props} rowKey={props.rowKey ?? idOf} />
)

/** {@link ListTable} with a `rowKey`. */
function KeyedListTable<Row extends object>({
  page,
  note,
  empty,
  ...table
}: ListTableBase<Row> & Pick<TableProps<Row>, 'rowKey'>) {
  const { items, isLoading, pagination } = page
  const hasNoRows = items.length === 0 && !pagination?.hasPrevious
  return (
    <>
      <Table
        {...table}
        rows={items}
        isLoading={isLoading}
        isStale={pagination?.loading}
        emptyMessage={hasNoRows && empty}
      />
      {pagination && (!hasNoRows || pagination.hasNext) && (
        <ContentActions>
          <Pagination {...pagination} note={note} />
        </ContentActions>
      )}
      {!pagination && note && !hasNoRows && <p className="mt-3 text-sm text-fg-muted">{note}</p>}
    </>
  )
}
