import { copyText } from '~/lib/clipboard'
import { labelProblem } from '~/lib/label'
import * as text from '~/messages/saved-views'
import { confirm } from '~/ui/confirm'
import { failureMessage } from '~/ui/failure-message'
import { toast } from '~/ui/toast'

import type { ViewParameters } from './list-view'
import { keepViews } from './saved-views'
import type { SavedView, SavedViews } from './saved-views'

/** The most views of a list that are kept. */
export const MAX_VIEWS = 50

/** What is wrong with the name of a view among others. */
export const viewNameProblem = (name: string, others: readonly SavedView[]): string | undefined =>
  labelProblem(name.trim()) ??
  (others.some((other) => sameName(other.name, name)) ? text.takenError : undefined)

const sameName = (one: string, other: string) =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

/** Saves a view under a new name. Names sort as people read them. @throws if the browser does not keep it. */
export function saveView(saved: SavedViews, name: string, view: ViewParameters): void {
  keepViews(saved, inOrder([...saved.views, { name, view }]))
  toast({ content: text.savedToast(name) })
}

/** Gives a view another name. @throws if the browser does not keep it. */
export function renameView(saved: SavedViews, name: string, next: string): void {
  keepViews(
    saved,
    inOrder(saved.views.map((each) => (each.name === name ? { ...each, name: next } : each))),
  )
  toast({ content: text.renamedToast(next) })
}

const inOrder = (views: readonly SavedView[]) =>
  views.toSorted((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }))

/** Puts what is shown in the place of what was saved under a name. @returns whether the browser keeps it. */
export function updateView(saved: SavedViews, name: string, view: ViewParameters): boolean {
  try {
    keepViews(
      saved,
      saved.views.map((each) => (each.name === name ? { name, view } : each)),
    )
  } catch (failure) {
    toast({ variant: 'error', title: text.failedTitle, content: failureMessage(failure) })
    return false
  }
  toast({ content: text.updatedToast(name) })
  return true
}

/** Deletes a view, after a confirmation. */
export function deleteView(saved: SavedViews, name: string, onDeleted: () => void): void {
  confirm({
    title: text.deleteTitle,
    body: text.deleteQuestion(name),
    tone: 'danger',
    errorTitle: text.failedTitle,
    action: async () => {
      keepViews(
        saved,
        saved.views.filter((each) => each.name !== name),
      )
      onDeleted()
      toast({ content: text.deletedToast(name) })
    },
  })
}

/** Parameters that belong to the moment, not to the view. */
const OF_THE_MOMENT = ['pageToken', 'details', 'saved']

/** Copies the address of the screen with all of a view. */
export function copyViewLink(view: ViewParameters): void {
  const url = new URL(window.location.href)
  for (const name of OF_THE_MOMENT) url.searchParams.delete(name)
  for (const [name, value] of Object.entries(view)) url.searchParams.set(name, value)
  copyText(url.href).then(
    () => toast({ content: text.linkCopiedToast }),
    (failure: unknown) =>
      toast({ variant: 'error', title: text.linkFailedTitle, content: failureMessage(failure) }),
  )
}
