import { Settings2 } from 'lucide-react'
import { useState } from 'react'

import * as text from '~/messages/tables'
import { buttonClass } from '~/ui/button-class'
import { MenuButton } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

import { keptText } from './kept-lists'
import type { ListLabels } from './list-labels'
import type { ListLook } from './list-screen'
import type { ListView } from './list-view'
import { useSession } from './session'

const ViewMenuPanel = onDemand(async () => (await import('./view-menu-panel')).ViewMenuPanel)
const ViewState = onDemand(async () => (await import('./view-state')).ViewState)

/** The part of a list that its view menu needs. */
export interface ViewedList<R> {
  list: Pick<ListLook<never, R>, 'operation' | 'isRanked'>
  /** What the screen's path names, for example the project. */
  place: unknown
  items: readonly R[]
  /** What the rows are, if they can have labels. */
  labels?: ListLabels
}

/** What the view menu is about. */
export interface ViewMenuProps<R> {
  /** The list, with its place and the rows that are shown. */
  page: ViewedList<R>
  columns: readonly Column<R>[]
  /** Those of the columns that are shown. */
  shown: readonly Column<R>[]
  view: ListView
  choose: (view: ListView) => void
  size?: 'sm'
}

/** The menu in the tool bar of a list: what of it is shown, and how, and the views that the person saved. */
export function ViewMenu<R>(props: ViewMenuProps<R>) {
  // The menu takes columns and rows of one kind, whichever it is.
  const parts = props as unknown as ViewMenuProps<object>
  const { id: person } = useSession().me
  const [label = text.viewLabel, setLabel] = useState<string>()
  const [naming, setNaming] = useState<'save' | 'rename'>()
  const close = () => setNaming(undefined)
  return (
    <>
      <MenuButton
        label={label}
        trigger={
          <>
            <Settings2 aria-hidden="true" />
            <span className="truncate">{label}</span>
          </>
        }
        items={{ ...parts, onName: setNaming }}
        Panel={ViewMenuPanel}
        className={buttonClass({
          variant: 'secondary',
          size: props.size,
          className: 'max-w-60 max-md:h-11',
        })}
      />
      {(naming || keptText('views', person)) && (
        <ViewState
          {...parts}
          onLabel={setLabel}
          naming={naming}
          onNamed={close}
          onMissing={close}
        />
      )}
    </>
  )
}
