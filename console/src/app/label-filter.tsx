import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'

import { labelsList } from '~/api/generated/operations'
import type { ResultsPage } from '~/api/list'
import type { Operation, OperationData } from '~/api/operation'
import { q } from '~/api/query'
import * as common from '~/messages/common'
import * as text from '~/messages/labels'
import { LabelInput } from '~/resource/label-input'
import {
  keyMistake,
  requirementsOf,
  valueMistake,
  withoutRequirement,
  withRequirement,
} from '~/resource/label-rules'
import { Button } from '~/ui/button'
import { confirm } from '~/ui/confirm'
import { Dialog } from '~/ui/dialog'
import { FormButtons } from '~/ui/form/form-shell'
import { Message } from '~/ui/message'

import { openLabelFilter } from './list-labels'
import type { ListLabels } from './list-labels'

/** Most matches that are shown. */
const MOST = 1_000
/** Most rows that matches are looked for in: the longest page that the server gives. */
const ROWS = 10_000

interface LabelledListProps {
  labels: ListLabels
  /** What labels the rows have to have. */
  selector: string
  select: (selector: string | undefined) => void
  /** The list that rows are taken from. */
  operation: Operation<OperationData, ResultsPage<object>>
  params: object
  /** Shows the rows that have the labels, with what they are filtered by. */
  children: (rows: readonly object[], isLoading: boolean, filters: ReactNode) => ReactNode
}

/** The rows of a list that have labels. */
export function LabelledList(props: LabelledListProps) {
  const { labels, selector, select, operation, params, children } = props
  const { kind, project } = labels
  const query = { kind, ...(project && { project }), selector, limit: MOST }
  const matches = useQuery(q(labelsList, { query }, { allowNotFound: true }))
  const own = (params as { query?: object }).query
  const all = useQuery(q(operation, { ...params, query: { ...own, limit: ROWS } }))
  const { data } = matches
  const ids = new Set(data?.items.map(({ id }) => id))
  const rows = all.data?.items.filter((row) => ids.has(String((row as { id?: unknown }).id))) ?? []
  const isLoading = matches.isPending || all.isPending
  const error = matches.error ?? all.error
  return children(
    rows,
    isLoading && !error,
    <div className="mb-4 space-y-3">
      <div
        role="group"
        aria-label={text.filtersLabel}
        className="flex flex-wrap items-center gap-2"
      >
        {requirementsOf(selector).map((each) => (
          <span
            key={each}
            className="inline-flex items-center gap-1 rounded-sm border border-accent-border bg-accent-bg pl-2 font-mono text-xs text-accent-text"
          >
            {each}
            <button
              type="button"
              aria-label={text.removeFilterLabel(each)}
              onClick={() => select(withoutRequirement(selector, each))}
              className="inline-flex size-7 items-center justify-center rounded-sm hover:bg-hover max-md:size-11"
            >
              <X aria-hidden="true" className="size-3.5" />
            </button>
          </span>
        ))}
        <Button
          needs={null}
          variant="ghost"
          size="sm"
          onPress={() => openLabelFilter(labels, selector, select)}
        >
          <Plus aria-hidden="true" />
          {text.filterActionLabel}
        </Button>
        <Button needs={null} variant="ghost" size="sm" onPress={() => select(undefined)}>
          {text.clearFiltersLabel}
        </Button>
        <span role="status" className="text-sm text-fg-muted tabular">
          {!isLoading && !error && text.countText(rows.length)}
        </span>
      </div>
      {error && (
        <Message tone="danger" title={text.filterErrorTitle}>
          {error.message}
        </Message>
      )}
      {data?.nextPage && <Message tone="info">{text.moreText(MOST)}</Message>}
    </div>,
  )
}

/** Asks for a label that the rows of a list have to have. */
export const askForLabel = (
  labels: ListLabels,
  selector: string | undefined,
  select: (selector: string) => void,
): void =>
  confirm({
    title: labels.path,
    dialog: (close) => (
      <FilterDialog
        labels={labels}
        onDismiss={close}
        onApply={(requirement) => {
          close()
          select(withRequirement(selector, requirement))
        }}
      />
    ),
  })

interface FilterDialogProps {
  labels: ListLabels
  onApply: (requirement: string) => void
  onDismiss: () => void
}

function FilterDialog({ labels, onApply, onDismiss }: FilterDialogProps) {
  const form = useId()
  const [typed, setTyped] = useState({ key: '', value: '' })
  const [isChecked, setChecked] = useState(false)
  const key = typed.key.trim()
  const value = typed.value.trim()
  const mistakes = { key: keyMistake(key), value: valueMistake(value) }
  const apply = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (mistakes.key || mistakes.value) return
    onApply(value === '' ? key : `${key}=${value}`)
  }
  const shared = { place: { kind: labels.kind, project: labels.project } }
  return (
    <Dialog
      title={text.filterTitle}
      isOpen
      onDismiss={onDismiss}
      footer={
        <FormButtons
          form={form}
          submitLabel={text.applyLabel}
          cancelLabel={common.cancelLabel}
          cancelVariant="secondary"
          onCancel={onDismiss}
          loading={false}
          needs={null}
        />
      }
    >
      <form id={form} onSubmit={apply} noValidate autoComplete="off" className="space-y-3">
        <p className="text-sm text-fg-subtle">{text.filterHelp}</p>
        <div className="flex items-start gap-2">
          <LabelInput
            {...shared}
            isFirst
            label={text.keyLabel}
            placeholder={text.keyLabel}
            value={typed.key}
            mistake={isChecked ? mistakes.key : undefined}
            onChange={(next) => setTyped((now) => ({ ...now, key: next }))}
          />
          <LabelInput
            {...shared}
            label={text.valueLabel}
            placeholder={text.valueLabel}
            of={key}
            value={typed.value}
            mistake={isChecked ? mistakes.value : undefined}
            onChange={(next) => setTyped((now) => ({ ...now, value: next }))}
          />
        </div>
      </form>
    </Dialog>
  )
}
