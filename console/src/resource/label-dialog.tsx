import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { FormEvent, RefObject } from 'react'

import type { ApiError } from '~/api/errors'
import { labelsList, labelsUpdate, labelsView } from '~/api/generated/operations'
import type { ResourceLabel, Labels } from '~/api/generated/types.gen'
import { invalidate, q, useApiMutation } from '~/api/query'
import * as common from '~/messages/common'
import * as text from '~/messages/labels'
import { Button } from '~/ui/button'
import { confirm } from '~/ui/confirm'
import { Dialog } from '~/ui/dialog'
import { AsCode } from '~/ui/form/calls-as-code'
import { FormButtons } from '~/ui/form/form-shell'
import { submitOnEnter } from '~/ui/form/submit-on-enter'
import { Message } from '~/ui/message'
import { Spinner } from '~/ui/spinner'
import { toast } from '~/ui/toast'
import { useFocusFirst } from '~/ui/use-focus-first'

import { LabelInput } from './label-input'
import { labelMistakes, labelText, MAX_LABELS } from './label-rules'
import type { LabelMistakes } from './label-rules'
import type { LabelledThing } from './labels-action'

/** Opens the editor of a resource's labels. */
export const openLabels = (thing: LabelledThing): void =>
  confirm({
    title: thing.id,
    dialog: (close) => <LabelDialog thing={thing} onDismiss={close} />,
  })

interface LabelDialogProps {
  thing: LabelledThing
  onDismiss: () => void
}

/** The labels of a resource, to change. */
export function LabelDialog({ thing, onDismiss }: LabelDialogProps) {
  const { kind, id, name } = thing
  const form = useId()
  const { data, error, refetch } = useQuery(
    q(labelsView, { path: { kind, id } }, { allowNotFound: true }),
  )
  // What is being edited. Changes of others do not replace it: saving says that there are some.
  const [edited, setEdited] = useState<Labels>()
  if (data && !edited) setEdited(data)
  const update = useApiMutation(labelsUpdate, {
    onSuccess: async () => {
      await invalidate(labelsView, labelsList)
      onDismiss()
      toast({ content: text.savedToast(name) })
    },
  })
  const save = (labels: ResourceLabel[]) => {
    if (!edited || update.isPending) return
    update.mutate({ path: { kind, id }, body: { revision: edited.revision, labels } })
  }
  const reload = async () => {
    setEdited((await refetch()).data)
    update.reset()
  }
  // One dialog from the start: it returns the focus to what had it before.
  return (
    <Dialog
      title={text.editTitle(name)}
      isOpen
      onDismiss={onDismiss}
      closeLabel={edited ? undefined : common.closeLabel}
      footer={
        edited && (
          <FormButtons
            form={form}
            submitLabel={text.saveLabel}
            cancelVariant="secondary"
            onCancel={onDismiss}
            loading={update.isPending}
            needs={null}
          />
        )
      }
    >
      {edited && (
        <LabelForm
          key={edited.revision}
          {...{ thing, form, save, reload }}
          labels={edited}
          failure={update.error}
        />
      )}
      {!edited && error && (
        <Message tone="danger" title={text.loadFailedTitle}>
          {error.message}
        </Message>
      )}
      {!edited && !error && <Spinner />}
    </Dialog>
  )
}

/** A row of the form. */
interface Row extends ResourceLabel {
  /** Stays the same while others come and go. */
  number: number
}

function useRows({ labels }: Labels) {
  const next = useRef(labels.length + 1)
  const [rows, setRows] = useState<Row[]>(() => {
    const kept = labels.map((label, number) => ({ ...label, number }))
    return kept.length > 0 ? kept : [{ key: '', value: '', number: labels.length }]
  })
  return {
    rows,
    add: () => setRows((now) => [...now, { key: '', value: '', number: next.current++ }]),
    remove: (number: number) => setRows((now) => now.filter((row) => row.number !== number)),
    change: (number: number, part: Partial<ResourceLabel>) =>
      setRows((now) => now.map((row) => (row.number === number ? { ...row, ...part } : row))),
  }
}

interface LabelFormProps {
  thing: LabelledThing
  /** Id of the form. */
  form: string
  labels: Labels
  /** Why the labels could not be saved. */
  failure: ApiError | null
  save: (labels: ResourceLabel[]) => void
  /** Loads the labels as they are now. */
  reload: () => Promise<void>
}

function LabelForm({ thing, form, labels, failure, save, reload }: LabelFormProps) {
  const body = useRef<HTMLDivElement>(null)
  const { rows, add, remove, change } = useRows(labels)
  const [isChecked, setChecked] = useState(false)
  useFocusFirst(body)
  const trimmed = rows.map((row) => ({ ...row, key: row.key.trim(), value: row.value.trim() }))
  const mistakes = labelMistakes(trimmed)
  const isChanged = failure?.statusCode === 409

  const input = (values: { rows: readonly ResourceLabel[] }) => {
    const { kind, id } = thing
    return {
      path: { kind, id },
      body: { revision: labels.revision, labels: labelled(values.rows) },
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    const wrong = mistakes.findIndex(({ key, value }) => key ?? value)
    if (wrong >= 0) {
      const field = mistakes[wrong]?.key ? 0 : 1
      inputsOf(body)[2 * wrong + field]?.focus()
      return
    }
    save(labelled(trimmed))
  }
  const addRow = () => {
    add()
    // The row is there once React has rendered.
    requestAnimationFrame(() => inputsOf(body).at(-2)?.focus())
  }
  const removeRow = (row: Row) => {
    const index = rows.indexOf(row)
    remove(row.number)
    requestAnimationFrame(() => {
      const inputs = inputsOf(body)
      const next = inputs[2 * index] ?? inputs.at(-2)
      if (next) next.focus()
      else body.current?.querySelector('button')?.focus()
    })
  }

  return (
    // Enter is answered for the inputs inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      id={form}
      onSubmit={submit}
      onKeyDown={submitOnEnter}
      noValidate
      autoComplete="off"
      className="space-y-5"
    >
      <div ref={body} className="space-y-3">
        {failure && (
          <Message tone="danger" title={isChanged ? text.changedTitle : text.saveFailedTitle}>
            {isChanged ? text.changedText : failure.message}
          </Message>
        )}
        {isChanged && (
          <Button needs={null} variant="secondary" size="sm" onPress={() => void reload()}>
            {text.loadCurrentLabel}
          </Button>
        )}
        <p className="text-sm text-fg-subtle">{text.editHelp}</p>
        {rows.length === 0 && <p className="text-sm">{text.noLabelsText}</p>}
        {rows.map((row, index) => (
          <LabelRow
            key={row.number}
            {...{ thing, row }}
            position={index + 1}
            mistakes={isChecked ? (mistakes[index] ?? {}) : {}}
            onChange={(part) => change(row.number, part)}
            onRemove={() => removeRow(row)}
          />
        ))}
        <Button
          needs={null}
          variant="secondary"
          size="sm"
          disabledReason={rows.length >= MAX_LABELS ? text.tooManyError(MAX_LABELS) : undefined}
          onPress={addRow}
        >
          <Plus aria-hidden="true" />
          {text.addLabel}
        </Button>
      </div>
      <AsCode
        values={{ rows: trimmed }}
        calls={(values) => [{ operation: labelsUpdate, input: input(values) }]}
      />
    </form>
  )
}

/** The labels of rows that have a key. */
const labelled = (rows: readonly ResourceLabel[]): ResourceLabel[] =>
  rows.filter(({ key }) => key !== '').map(({ key, value }) => ({ key, value }))

const inputsOf = (body: RefObject<HTMLDivElement | null>): HTMLInputElement[] =>
  Array.from(body.current?.querySelectorAll('input') ?? [])

interface LabelRowProps {
  thing: LabelledThing
  row: Row
  position: number
  mistakes: LabelMistakes
  onChange: (part: Partial<ResourceLabel>) => void
  onRemove: () => void
}

function LabelRow({ thing, row, position, mistakes, onChange, onRemove }: LabelRowProps) {
  return (
    <div className="flex items-start gap-2 max-md:pb-2">
      <div className="grid min-w-0 flex-1 gap-2 md:grid-cols-2">
        <LabelInput
          label={text.keyOfLabel(position)}
          placeholder={text.keyLabel}
          place={thing}
          value={row.key}
          mistake={mistakes.key}
          onChange={(key) => onChange({ key })}
        />
        <LabelInput
          label={text.valueOfLabel(position)}
          placeholder={text.valueLabel}
          place={thing}
          of={row.key.trim()}
          value={row.value}
          mistake={mistakes.value}
          onChange={(value) => onChange({ value })}
        />
      </div>
      <button
        type="button"
        aria-label={text.removeLabel(row.key === '' ? String(position) : labelText(row))}
        onClick={onRemove}
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-sm text-fg-subtle hover:bg-hover hover:text-fg max-md:size-11"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </div>
  )
}
