import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { FormEvent } from 'react'

import * as common from '~/messages/common'
import * as text from '~/messages/labels'
import { labelled } from '~/resource/label-batch'
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

import type { Labelled, ListLabels } from './list-labels'

interface LabelFiltersProps {
  labels: ListLabels
  /** What labels the rows have to have. */
  selector: string
  select: (selector: string) => void
  /** Why the list cannot be filtered. */
  failure?: Error
  /** Told which rows have the labels; absent where the server filters. */
  onFound?: (found: Labelled) => void
}

/** What labels a list is filtered by. */
export function LabelFilters({ labels, selector, select, failure, onFound }: LabelFiltersProps) {
  const matches = useQuery(labelled(labels, selector, { enabled: onFound !== undefined }))
  const { data } = matches
  const error = failure ?? matches.error
  const isFailed = error !== null
  useEffect(() => {
    if (data ?? isFailed) onFound?.({ selector, ids: new Set(data?.items.map(({ id }) => id)) })
  }, [data, isFailed, onFound, selector])
  return (
    <div className="mb-4 space-y-3">
      <div
        role="group"
        aria-label={text.filtersLabel}
        className="flex flex-wrap items-center gap-2"
      >
        {requirementsOf(selector).map((each) => (
          <span
            key={each}
            className="inline-flex max-w-full items-center gap-1 rounded-sm border border-accent-border bg-accent-bg pl-2 font-mono text-xs text-accent-text"
          >
            <span className="truncate" title={each}>
              {each}
            </span>
            <button
              type="button"
              aria-label={text.removeFilterLabel(each)}
              onClick={() => select(withoutRequirement(selector, each))}
              className="inline-flex size-7 shrink-0 items-center justify-center rounded-sm hover:bg-hover max-md:size-11"
            >
              <X aria-hidden="true" className="size-3.5" />
            </button>
          </span>
        ))}
        <Button
          needs={null}
          variant="ghost"
          size="sm"
          onPress={() => askForLabel(labels, selector, select)}
        >
          <Plus aria-hidden="true" />
          {text.filterActionLabel}
        </Button>
      </div>
      {error && (
        <Message tone="danger" title={text.filterErrorTitle}>
          {error.message}
        </Message>
      )}
    </div>
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
