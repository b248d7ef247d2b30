import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { FormEvent } from 'react'

import * as common from '~/messages/common'
import * as text from '~/messages/labels'
import { labelled } from '~/resource/label-batch'
import { LabelInput } from '~/resource/label-input'
import {
  keyMistake,
  labelText,
  requirementsOf,
  valueMistake,
  withoutRequirement,
  withRequirement,
} from '~/resource/label-rules'
import { Button } from '~/ui/button'
import { confirm } from '~/ui/confirm'
import { Dialog } from '~/ui/dialog'
import { FormButtons } from '~/ui/form/form-shell'
import { submitOnEnter } from '~/ui/form/submit-on-enter'
import { Message } from '~/ui/message'

import type { Labelled, ListLabels } from './list-labels'
import { filterField } from './shortcuts'

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
  const requirements = requirementsOf(selector)
  const bar = useRef<HTMLDivElement>(null)
  const remove = (index: number, requirement: string) => {
    select(withoutRequirement(selector, requirement))
    // The button goes; the next one takes its place, or what stands behind the last.
    const next = bar.current?.querySelectorAll('button')[index + 1]
    const isLast = requirements.length === 1
    ;(isLast ? filterField() : next)?.focus()
  }
  return (
    <div className="mb-4 space-y-3">
      <div
        ref={bar}
        role="group"
        aria-label={text.filtersLabel}
        className="flex flex-wrap items-center gap-2"
      >
        {requirements.map((each, index) => (
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
              onClick={() => remove(index, each)}
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
  ask(labels, (requirement) => select(withRequirement(selector, requirement)), {
    title: text.filterTitle,
    help: text.filterHelp,
    action: text.applyLabel,
    hasValue: true,
  })

/** Asks for the key of the labels by which the rows of a list are grouped. */
export const askForGroup = (labels: ListLabels, group: (key: string) => void): void =>
  ask(labels, group, { title: text.groupTitle, help: text.groupHelp, action: text.groupLabel })

interface Question {
  title: string
  help: string
  /** What the button says. */
  action: string
  /** A value is asked for, too. */
  hasValue?: boolean
}

const ask = (labels: ListLabels, onAnswer: (label: string) => void, question: Question): void =>
  confirm({
    title: question.title,
    dialog: (close) => (
      <LabelQuestion
        {...{ labels, question }}
        onDismiss={close}
        onAnswer={(label) => {
          close()
          onAnswer(label)
        }}
      />
    ),
  })

interface LabelQuestionProps {
  labels: ListLabels
  question: Question
  onAnswer: (label: string) => void
  onDismiss: () => void
}

function LabelQuestion({ labels, question, onAnswer, onDismiss }: LabelQuestionProps) {
  const { title, help, action, hasValue = false } = question
  const form = useId()
  const [typed, setTyped] = useState({ key: '', value: '' })
  const [isChecked, setChecked] = useState(false)
  const key = typed.key.trim()
  const value = typed.value.trim()
  const mistakes = { key: keyMistake(key), value: valueMistake(value) }
  const answer = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (mistakes.key || mistakes.value) return
    onAnswer(value === '' ? key : labelText({ key, value }))
  }
  return (
    <Dialog
      title={title}
      isOpen
      onDismiss={onDismiss}
      footer={
        <FormButtons
          form={form}
          submitLabel={action}
          cancelLabel={common.cancelLabel}
          cancelVariant="secondary"
          onCancel={onDismiss}
          loading={false}
          needs={null}
        />
      }
    >
      {/* Enter is answered for the inputs inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        id={form}
        onSubmit={answer}
        onKeyDown={submitOnEnter}
        noValidate
        autoComplete="off"
        className="space-y-3"
      >
        <p className="text-sm text-fg-subtle">{help}</p>
        <div className="flex items-start gap-2 max-md:flex-col max-md:items-stretch">
          <LabelInput
            place={labels}
            isFirst
            label={text.keyLabel}
            placeholder={text.keyLabel}
            value={typed.key}
            mistake={isChecked ? mistakes.key : undefined}
            onChange={(next) => setTyped((now) => ({ ...now, key: next }))}
          />
          {hasValue && (
            <LabelInput
              place={labels}
              label={text.valueLabel}
              placeholder={text.valueLabel}
              of={key}
              value={typed.value}
              mistake={isChecked ? mistakes.value : undefined}
              onChange={(next) => setTyped((now) => ({ ...now, value: next }))}
            />
          )}
        </div>
      </form>
    </Dialog>
  )
}
