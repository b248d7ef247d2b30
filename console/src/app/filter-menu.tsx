import { Plus } from 'lucide-react'

import * as text from '~/messages/lists'
import { buttonClass } from '~/ui/button-class'
import type { ButtonLook } from '~/ui/button-class'
import { MenuButton } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

import type { ListLabels } from './list-labels'
import type { ListView } from './list-view'
import type { Loaded } from './use-found'

/** What a menu needs that filters a list. */
export interface FilterMenuProps<R extends object> {
  columns: readonly Column<R>[]
  /** What is loaded of the list. */
  page: Loaded<R>
  view: ListView
  choose: (view: ListView) => void
  /** What the rows are, if they can have labels. */
  labels?: ListLabels
  /** Ids of what has the labels of the view, where the server does not filter by them. */
  labelled?: ReadonlySet<string>
  /** The column whose values alone are shown. */
  column?: string
}

/** Loaded when a button with the menu is hovered or focused. */
export const FilterPanel = onDemand(async () => (await import('./filter-panel')).FilterPanel)

/** The button in the tool bar of a list that filters it by a column. */
export function AddFilter<R extends object>(props: FilterMenuProps<R> & Pick<ButtonLook, 'size'>) {
  return (
    <MenuButton
      label={text.addFilterLabel}
      trigger={
        <>
          <Plus aria-hidden="true" />
          {text.addFilterLabel}
        </>
      }
      // The menu takes columns and rows of one kind, whichever it is.
      items={props as unknown as FilterMenuProps<object>}
      Panel={FilterPanel}
      className={buttonClass({ variant: 'secondary', size: props.size, className: 'max-md:h-11' })}
    />
  )
}
