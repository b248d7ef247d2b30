import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'

import * as common from '~/messages/common'
import * as text from '~/messages/saved-views'
import { failureMessage } from '~/ui/failure-message'
import type { SubmitError } from '~/ui/form/form-shell'
import { ModalForm } from '~/ui/form/modal-form'
import { TextField } from '~/ui/form/text-field'
import type { Column } from '~/ui/table-column'

import { wholeView } from './list-look'
import type { ListView } from './list-view'
import { renameView, saveView, viewNameProblem } from './saved-view-actions'
import type { SavedViews } from './saved-views'

interface ViewNameDialogProps {
  saved: SavedViews
  /** The name of the view to rename; a new one is saved without it. */
  renamed?: string
  view: ListView
  /** The columns that are shown. */
  shown: readonly Column<object>[]
  /** Called with the name that was given. */
  onDone: (name: string) => void
  onDismiss: () => void
}

/** Asks for the name of a view, to save or to rename it. */
export function ViewNameDialog({
  saved,
  renamed,
  view,
  shown,
  onDone,
  onDismiss,
}: ViewNameDialogProps) {
  useFocusReturn()
  // The list knows the new name before the dialog is gone.
  const [formerly] = useState(renamed)
  const form = useForm({ defaultValues: { name: formerly ?? '' } })
  const [error, setError] = useState<SubmitError | null>(null)
  const others = saved.views.filter(({ name }) => name !== formerly)
  const submit = (name: string) => {
    try {
      if (formerly === undefined) saveView(saved, name, wholeView(view, shown))
      else if (name !== formerly) renameView(saved, formerly, name)
    } catch (failure) {
      setError({ message: failureMessage(failure) })
      return
    }
    onDone(name)
    onDismiss()
  }
  return (
    <ModalForm
      form={form}
      title={formerly === undefined ? text.saveTitle : text.renameTitle}
      submitLabel={formerly === undefined ? text.saveButtonLabel : text.renameButtonLabel}
      needs={null}
      calls={null}
      onSubmit={({ name }) => submit(name.trim())}
      onDismiss={onDismiss}
      loading={false}
      submitError={error}
    >
      <TextField
        name="name"
        control={form.control}
        label={common.nameLabel}
        help={formerly === undefined ? text.saveHelp : undefined}
        required
        validate={(name) => viewNameProblem(name, others)}
      />
    </ModalForm>
  )
}

/**
 * Gives the focus back in the next frame, when the page can take it again. The dialog itself would wait for every transition on the screen
 * when Enter in its field has sent the form: that is a click of the button for the browser, and one of a screen reader for react-aria.
 */
function useFocusReturn() {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) (opener as HTMLElement | null)?.focus()
      })
    },
    [opener],
  )
}
