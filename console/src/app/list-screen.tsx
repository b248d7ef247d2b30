import { Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ReactNode } from 'react'

import { useListPage } from '~/api/list'
import type { listPage, ResultsPage } from '~/api/list'
import type { Endpoint, Operation, OperationData, Params } from '~/api/operation'
import { q, useLoaded } from '~/api/query'
import { EmptyMessage } from '~/ui/empty-message'
import type { MenuIcon } from '~/ui/menu'
import { PageHeader } from '~/ui/page-header'
import type { PageDocs } from '~/ui/page-header'
import type { TableProps } from '~/ui/table'

import { useActions } from './action-registry'
import { ButtonLink } from './button-link'
import { KeyedListTable } from './list-table'
import type { ListPage } from './list-table'
import { NewLink } from './new-link'

/** The definition of a list, without its columns. `Place` is what the screen's path names, for example the project. */
export interface ListDefinition<Place, Data extends OperationData, Row> {
  operation: Operation<Data, ResultsPage<Row>>
  params: (place: Place) => Params<Data>
  /** Heading of the screen. A list without one is in a tab, below the heading of its parent. */
  title?: string
  /** Accessible name of the table. */
  label: string
  icon: MenuIcon
  docs?: PageDocs
  /** The button that opens the form for a new object. */
  create?: {
    operation: Endpoint
    path: (place: Place) => string
    label: string
    /** What the palette calls it, where that is not what the button says. */
    action?: string
    /** A plus unless given. */
    icon?: MenuIcon
  }
  /** Shown instead of a list without rows. */
  empty: {
    title: string
    body: string
    /** Text of the button to the form for something new; without it there is no such button. */
    button?: string
    isPrimary?: boolean
  }
  /** The palette entry for each row. */
  goTo?: {
    group: string
    path: (row: Row, place: Place) => string
    icon?: MenuIcon
  }
}

/** Defines a list, for {@link useList} and {@link ListScreen}. */
export const defineList = <Place, Data extends OperationData, Row extends NamedRow>(
  definition: ListDefinition<Place, Data, Row>,
): ListDefinition<Place, Data, Row> => definition

interface NamedRow {
  id: string
  name?: string
}

/** What {@link useList} returns. */
export type List<Row> = ReturnType<typeof useListPage<never, Row>>

/** The current page of a list. If the list has `goTo`, its rows are added to the palette. */
export function useList<Place, Data extends OperationData, Row extends NamedRow>(
  { operation, params, goTo }: ListDefinition<Place, Data, Row>,
  place: Place,
  extra?: Parameters<typeof listPage<Data, Row>>[3],
): List<Row> {
  const page = useListPage(operation, params(place), extra)
  const { items } = page
  useActions(
    useMemo(
      () =>
        goTo
          ? items.map((row) => ({
              id: row.id,
              label: row.name ?? row.id,
              group: goTo.group,
              icon: goTo.icon,
              href: goTo.path(row, place),
            }))
          : [],
      [goTo, items, place],
    ),
  )
  return page
}

/** All rows of a list that is shown as a whole; the route's loader has fetched them. */
export function useWholeList<Place, Data extends OperationData, Row>(
  { operation, params }: Pick<ListDefinition<Place, Data, Row>, 'operation' | 'params'>,
  place: Place,
) {
  const { items } = useLoaded(q(operation, params(place)))
  return { items, isLoading: false }
}

type ListScreenProps<Place, Data extends OperationData, Row extends NamedRow> = {
  list: ListDefinition<Place, Data, Row>
  place: Place
  page: ListPage<Row>
  /** Controls beside the button for something new. */
  actions?: ReactNode
  /** Replaces the list's own empty state. */
  empty?: ReactNode
  /** Further content, such as notes and dialogs. */
  children?: ReactNode
} & Pick<TableProps<Row>, 'columns' | 'rowActions' | 'aroundRowMenu' | 'rowHeight' | 'copyIdLabel'>

/** The screen of a list: its heading or toolbar, the table, and what its routes show over it. */
export function ListScreen<Place, Data extends OperationData, Row extends NamedRow>({
  list,
  place,
  page,
  actions,
  empty = <EmptyList list={list} place={place} />,
  children,
  ...table
}: ListScreenProps<Place, Data, Row>) {
  const { title, label, icon: Icon, docs, create } = list
  const newLink = create && (
    <NewLink
      needs={create.operation}
      to={create.path(place)}
      action={create.action}
      icon={create.icon}
      size={title ? undefined : 'sm'}
    >
      {create.label}
    </NewLink>
  )
  const content = (
    <>
      <KeyedListTable {...table} label={label} page={page} rowKey={idOf} empty={empty} />
      {children}
      <Outlet />
    </>
  )
  if (!title) {
    return (
      <div className="space-y-4">
        <div className="flex justify-end">{newLink}</div>
        {content}
      </div>
    )
  }
  return (
    <>
      <PageHeader
        icon={<Icon />}
        title={title}
        docs={docs}
        actions={
          (actions || newLink) && (
            <>
              {actions}
              {newLink}
            </>
          )
        }
      />
      {content}
    </>
  )
}

const idOf = ({ id }: NamedRow) => id

/** Shown instead of a list without rows. */
function EmptyList<Place, Data extends OperationData, Row>({
  list: { icon: Icon, create, empty },
  place,
}: {
  list: ListDefinition<Place, Data, Row>
  place: Place
}) {
  const { title, body, button, isPrimary } = empty
  return (
    <EmptyMessage
      icon={<Icon />}
      title={title}
      body={body}
      action={
        create &&
        button && (
          <ButtonLink
            needs={create.operation}
            to={create.path(place)}
            variant={isPrimary ? 'primary' : 'secondary'}
            size="sm"
          >
            {button}
          </ButtonLink>
        )
      }
    />
  )
}
