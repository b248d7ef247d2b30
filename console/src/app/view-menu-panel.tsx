import * as labelTexts from '~/messages/labels'
import * as lists from '~/messages/lists'
import * as views from '~/messages/saved-views'
import * as text from '~/messages/tables'
import type { MenuEntry } from '~/ui/menu'
import { MenuPanel } from '~/ui/menu-panel'
import type { MenuPanelProps } from '~/ui/menu-panel'
import { tellMissing } from '~/ui/on-demand'
import { isSortable } from '~/ui/table-column'

import { columnMenuLabel } from './column-menu-label'
import { optionalColumns, wholeView, withColumns, withDensity } from './list-look'
import { sortOf, viewOf, withGroup, withLabel, withSort } from './list-view'
import { copyViewLink, deleteView, MAX_VIEWS, updateView } from './saved-view-actions'
import { currentView, useSavedViews } from './saved-views'
import type { CurrentView, SavedViews } from './saved-views'
import type { ViewMenuProps } from './view-menu'

interface ViewMenuPanelProps extends Omit<MenuPanelProps, 'items'> {
  /** What the menu is about. */
  items: Props
}

interface Props extends ViewMenuProps<object> {
  /** Asks for the name of a new view, or of the one that is shown. */
  onName: (purpose: 'save' | 'rename') => void
}

interface SavedProps extends Props {
  saved: SavedViews
  current: CurrentView | undefined
}

/** The open menu of a list's view: what is shown, and how, and the views that the person saved. */
export function ViewMenuPanel({ items, ...panel }: ViewMenuPanelProps) {
  const saved = useSavedViews(items.page.list.operation.name)
  const current = currentView(saved, items.view, items.columns)
  return <MenuPanel {...panel} items={menuEntries({ ...items, saved, current })} />
}

/** Stands before the ids of saved views, of columns that sort, and of nothing that does: the menu has other entries with their names. */
const SAVED = 'saved-'
const BY = 'by-'
const AS_LISTED = 'as-listed'

const separator: MenuEntry = { separator: true }

function menuEntries(props: SavedProps): MenuEntry[] {
  const { page, view, choose, shown } = props
  return [
    ...savedEntries(props),
    separator,
    {
      id: 'density',
      choice: text.densityLabel,
      options: [
        { id: 'comfortable', label: text.comfortableLabel },
        { id: 'compact', label: text.compactLabel },
      ],
      selected: view.density ?? 'comfortable',
      onSelect: (id) => choose(withDensity(view, id === 'compact')),
    },
    separator,
    ...columnEntries(props),
    ...(page.list.isRanked ? [] : [...sortEntries(props), separator]),
    ...labelEntries(props),
    {
      id: 'link',
      label: views.copyLinkLabel,
      needs: null,
      onAction: () => copyViewLink(wholeView(view, shown)),
    },
    {
      id: 'csv',
      label: text.downloadCsvLabel,
      needs: null,
      onAction: () =>
        void import('./list-csv').then(({ saveCsv }) => saveCsv(shown, page), tellMissing),
    },
  ]
}

function labelEntries({ page: { labels }, view, choose }: SavedProps): MenuEntry[] {
  if (!labels) return []
  const select = (selector: string) => choose(withLabel(view, selector))
  return [
    {
      id: 'by-label',
      label: labelTexts.filterActionLabel,
      needs: null,
      onAction: () =>
        void import('./label-filter').then(
          ({ askForLabel }) => askForLabel(labels, view.label, select),
          tellMissing,
        ),
    },
    {
      id: 'group',
      label: labelTexts.groupActionLabel,
      needs: null,
      onAction: () =>
        void import('./label-filter').then(
          ({ askForGroup }) => askForGroup(labels, (key) => choose(withGroup(view, key))),
          tellMissing,
        ),
    },
    separator,
  ]
}

/** The saved views, and what can be done with the one that is shown. */
function savedEntries({ columns, shown, view, choose, saved, current, onName }: SavedProps) {
  const entries: MenuEntry[] = [
    {
      id: 'save',
      label: views.saveLabel,
      needs: null,
      disabledReason: saved.views.length >= MAX_VIEWS && views.tooManyError(MAX_VIEWS),
      onAction: () => onName('save'),
    },
  ]
  if (saved.views.length > 0) {
    entries.unshift(separator)
    entries.unshift({
      id: 'saved',
      choice: views.savedViewsLabel,
      options: saved.views.map(({ name }) => ({ id: SAVED + name, label: name })),
      selected: current && !current.isChanged ? SAVED + current.name : '',
      onSelect: (id) => {
        const chosen = saved.views.find(({ name }) => SAVED + name === id)
        if (chosen) choose({ ...viewOf(chosen.view, columns), saved: chosen.name })
      },
    })
  }
  if (current) {
    const { name, isChanged } = current
    entries.push(
      {
        id: 'update',
        label: views.updateLabel,
        needs: null,
        disabledReason: !isChanged && views.nothingChangedError,
        onAction: () => updateView(saved, name, wholeView(view, shown)),
      },
      { id: 'rename', label: views.renameLabel, needs: null, onAction: () => onName('rename') },
      {
        id: 'delete',
        label: views.deleteLabel,
        needs: null,
        destructive: true,
        onAction: () => deleteView(saved, name, () => choose({ ...view, saved: undefined })),
      },
    )
  }
  return entries
}

function columnEntries({ columns, shown, view, choose }: Props): MenuEntry[] {
  const optional = optionalColumns(columns)
  if (optional.length === 0) return []
  return [
    {
      id: 'columns',
      checks: text.columnsLabel,
      options: optional.map((column) => ({ id: column.id, label: columnMenuLabel(column) })),
      checked: shown.map(({ id }) => id),
      onCheck: (ids) => choose(withColumns(view, columns, ids)),
    },
    separator,
  ]
}

function sortEntries({ columns, view, choose }: Props): MenuEntry[] {
  const sort = sortOf(view)
  const by: MenuEntry = {
    id: 'sort',
    choice: lists.sortByLabel,
    options: [
      { id: AS_LISTED, label: lists.unsortedLabel },
      ...columns
        .filter(isSortable)
        .map((column) => ({ id: BY + column.id, label: columnMenuLabel(column) })),
    ],
    selected: sort.id ? BY + sort.id : AS_LISTED,
    onSelect: (id) =>
      choose(withSort(view, id === AS_LISTED ? undefined : id.slice(BY.length), sort.isDescending)),
  }
  const order: MenuEntry = {
    id: 'order',
    choice: lists.orderLabel,
    options: [
      { id: 'ascending', label: lists.ascendingLabel },
      { id: 'descending', label: lists.descendingLabel },
    ],
    selected: sort.isDescending ? 'descending' : 'ascending',
    onSelect: (id) => choose(withSort(view, sort.id, id === 'descending')),
  }
  return sort.id ? [by, order] : [by]
}
