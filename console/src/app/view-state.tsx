import { useLayoutEffect } from 'react'

import * as text from '~/messages/saved-views'
import { onDemand } from '~/ui/on-demand'

import { currentView, useSavedViews } from './saved-views'
import type { ViewMenuProps } from './view-menu'

const ViewNameDialog = onDemand(async () => (await import('./view-name-dialog')).ViewNameDialog)

interface ViewStateProps extends Pick<
  ViewMenuProps<object>,
  'page' | 'columns' | 'shown' | 'view' | 'choose'
> {
  /** Is told what the button of the menu says; undefined while no saved view is shown. */
  onLabel: (label: string | undefined) => void
  /** Why the name of a view is asked for, if it is. */
  naming: 'save' | 'rename' | undefined
  onNamed: () => void
}

/** What a list has beside its view menu if the person saved views, or is about to: the name of the one that is shown, and the dialog. */
export function ViewState({ page, columns, shown, view, choose, ...props }: ViewStateProps) {
  const { onLabel, naming, onNamed } = props
  const saved = useSavedViews(page.list.operation.name)
  const current = currentView(saved, view, columns)
  const label =
    current &&
    (current.isChanged ? text.changedLabel(current.name) : text.currentLabel(current.name))
  useLayoutEffect(() => onLabel(label), [label, onLabel])
  return (
    naming && (
      <ViewNameDialog
        saved={saved}
        renamed={naming === 'rename' ? current?.name : undefined}
        view={view}
        shown={shown}
        onDone={(name) => choose({ ...view, saved: name })}
        onDismiss={onNamed}
        onMissing={onNamed}
      />
    )
  )
}
