import { X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { batchCreate } from '~/api/generated/operations'
import type { Call } from '~/as-code/call'
import { randomKey } from '~/lib/random-key'
import { runSeveral } from '~/lib/run-several'
import type { Result } from '~/lib/run-several'
import * as common from '~/messages/common'
import * as heldText from '~/messages/held-deletion'
import * as text from '~/messages/several'
import { createBatch } from '~/resource/batches'
import { areDeletionsHeld } from '~/resource/deletion-delay'
import { hold } from '~/resource/held-deletion'
import { Button } from '~/ui/button'
import { confirm } from '~/ui/confirm'
import { FailureList } from '~/ui/failure-list'
import type { NamedFailure } from '~/ui/failure-list'
import { failureMessage } from '~/ui/failure-message'
import { repairNote } from '~/ui/failure-toast'
import type { BatchItem, MenuAction, MenuEntry, Several, SingleCall } from '~/ui/menu'
import { ProgressBar } from '~/ui/progress-bar'
import { toast } from '~/ui/toast'

import { useSession } from './session'

/** Names that a question lists. */
const MAX_NAMES = 10

/** A selected row, with what its menu offers. */
export interface ChosenRow {
  key: string
  entries: readonly MenuEntry[]
}

interface SelectionBarProps {
  chosen: readonly ChosenRow[]
  onSelect: (keys: ReadonlySet<string>) => void
  /** The bar has to stay while something goes on, even if its rows are gone. */
  onWorking: (isWorking: boolean) => void
}

/** An action, and what it is for each of the selected rows. */
interface SeveralAction {
  entry: MenuAction
  kind: Several['kind']
  items: Item<Several>[]
  disabledReason?: ReactNode
}

interface Item<Way> {
  key: string
  several: Way
}

/** What goes on, or how it ended. */
interface Work {
  total: number
  done: number
  cancel: AbortController
  /** Once it has ended. */
  failures?: NamedFailure[]
}

/** What can be done to the selected rows of a list, how far it is, and what has failed. */
export function SelectionBar({ chosen, onSelect, onWorking }: SelectionBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const [work, setWork] = useState<Work>()
  const isWorking = work !== undefined && work.failures === undefined
  useKeptFocus(bar, isWorking)

  const runCalls = async (kind: Several['kind'], items: Item<SingleCall>[]) => {
    const cancel = new AbortController()
    setWork({ total: items.length, done: 0, cancel })
    onWorking(true)
    const results = await runSeveral(items, ({ several }) => several.call.send(), {
      signal: cancel.signal,
      onSettled: () => setWork((now) => now && { ...now, done: now.done + 1 }),
    })
    await items[0]?.several.refresh()
    const failures = await failuresOf(results)
    const done = new Set(results.filter(({ failure }) => !failure).map(({ item }) => item.key))
    onSelect(new Set(items.map(({ key }) => key).filter((key) => !done.has(key))))
    setWork((now) => (done.size < items.length ? now && { ...now, failures } : undefined))
    onWorking(false)
    if (done.size > 0) toast({ content: text.doneToast[kind](done.size) })
    // Whoever has gone to another screen sees no bar.
    if (failures.length > 0 && !bar.current?.isConnected) {
      toast({
        variant: 'error',
        title: text.failedTitle(failures.length, items.length),
        content: <FailureList failures={failures} />,
        // With something to do, it stays.
        timeout: failures.some(({ note }) => note) ? null : undefined,
      })
    }
  }
  const clear = () => {
    setWork(undefined)
    onSelect(new Set())
  }
  const runBatch = useBatch()
  const start = async ({ kind, items }: SeveralAction) => {
    const calls = items.filter(isCall)
    if (calls.length > 0) {
      // The bar shows the rest.
      void runCalls(kind, calls)
      return
    }
    const targets = items.map(({ several }) => several).filter(isInBatch)
    const isHeld = kind.endsWith('_delete') && areDeletionsHeld()
    if (!isHeld) await runBatch(targets)
    clear()
    if (!isHeld) return
    hold({
      label: heldText.severalText(items.length),
      ids: targets.map(({ targetId }) => targetId),
      errorTitle: text.severalTitle[kind](items.length),
      send: () => runBatch(targets),
    })
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, from any of its controls
    <div
      ref={bar}
      role="region"
      aria-label={text.selectedRowsLabel}
      tabIndex={-1}
      onKeyDown={({ key }) => {
        if (key === 'Escape' && !isWorking) clear()
      }}
      className="sticky bottom-3 z-5 mx-auto mt-4 w-fit max-w-full space-y-2 rounded-md bg-raised px-3 py-2 text-sm shadow-overlay outline-none"
    >
      {work?.failures && <Outcome {...work} failures={work.failures} />}
      <div className="flex flex-wrap items-center gap-2 max-md:[&_button]:h-11">
        {isWorking ? (
          <Progress {...work} />
        ) : (
          <>
            <span role="status" className="mr-2 font-medium tabular">
              {text.selectedLabel(chosen.length)}
            </span>
            {actionsOf(chosen).map((action) => (
              <ActionButton key={action.kind} action={action} onConfirm={() => start(action)} />
            ))}
            <Button needs={null} variant="ghost" size="sm" onPress={clear}>
              <X aria-hidden="true" />
              {text.clearSelectionLabel}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

/** Those that failed, with what can be done about each. */
async function failuresOf(results: readonly Result<Item<SingleCall>>[]): Promise<NamedFailure[]> {
  const failures = results.map(async ({ item: { key, several }, failure }) =>
    failure === undefined
      ? []
      : [
          {
            key,
            name: several.name,
            message: failureMessage(failure.error),
            note: await repairNote(failure.error),
          },
        ],
  )
  return (await Promise.all(failures)).flat()
}

const isInBatch = (several: Several): several is BatchItem => several.call === undefined
const isCall = (item: Item<Several>): item is Item<SingleCall> => !isInBatch(item.several)

/** What is sent when an action is confirmed, as code has it. */
function callsOf({ kind, items }: SeveralAction): Call[] {
  const calls = items.filter(isCall).map(({ several }) => several.call)
  if (calls.length > 0) return calls
  const targets = items.map(({ several }) => several).filter(isInBatch)
  const body = {
    operation: kind,
    items: targets.map(({ targetId }) => ({ targetId })),
    idempotencyKey: randomKey(),
  }
  return [{ operation: batchCreate, input: { body } }]
}

/** Creates batches. What failed to be answered is sent again with the same key when it is confirmed again. */
function useBatch() {
  const { id: person } = useSession().me
  const keys = useRef(new Map<string, string>())
  return async (targets: readonly BatchItem[]) => {
    const [first] = targets
    if (!first) return
    const asked = [first.kind, ...targets.map(({ targetId }) => targetId)].join()
    const idempotencyKey = keys.current.get(asked) ?? randomKey()
    keys.current.set(asked, idempotencyKey)
    await createBatch(first.kind, targets, { idempotencyKey, person })
    keys.current.delete(asked)
  }
}

/** Keeps the focus in the bar when what had it is gone, and gives it to the list when the bar goes. */
function useKeptFocus(bar: React.RefObject<HTMLDivElement | null>, isWorking: boolean) {
  useEffect(() => {
    // A closing question gives the focus back one frame later.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (document.activeElement === document.body && !isFirst.current) bar.current?.focus()
        isFirst.current = false
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [bar, isWorking])
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      const list = document.querySelector<HTMLElement>('main tr[tabindex="0"], main h1')
      list?.focus()
    }
  }, [bar])
}

function Progress({ done, total, cancel }: Work) {
  return (
    <>
      <span role="status" className="tabular">
        {text.progressText(done, total)}
      </span>
      <ProgressBar
        label={text.progressText(done, total)}
        percent={Math.round((done / total) * 100)}
        className="w-40"
      />
      <Button needs={null} variant="secondary" size="sm" onPress={() => cancel.abort()}>
        {common.cancelLabel}
      </Button>
    </>
  )
}

function Outcome({ failures, done, total, cancel }: Work & { failures: NamedFailure[] }) {
  return (
    <div role="alert" className="space-y-1">
      {cancel.signal.aborted && <p>{text.canceledText(done, total)}</p>}
      {failures.length > 0 && (
        <>
          <p className="font-medium text-danger-text">{text.failedTitle(failures.length, total)}</p>
          <FailureList failures={failures} />
        </>
      )}
    </div>
  )
}

function ActionButton({
  action,
  onConfirm,
}: {
  action: SeveralAction
  onConfirm: () => Promise<unknown>
}) {
  const { entry, kind, items, disabledReason } = action
  const Icon = entry.icon
  const title = text.severalTitle[kind](items.length)
  const ask = () =>
    confirm({
      title,
      body: (
        <>
          <p>{text.severalQuestion[kind]}</p>
          <Names names={items.map(({ several }) => several.name)} />
        </>
      ),
      tone: entry.destructive ? 'danger' : 'primary',
      confirmLabel: title,
      errorTitle: title,
      calls: callsOf(action),
      action: onConfirm,
    })
  return (
    <Button
      needs={entry.needs ?? null}
      disabledReason={disabledReason}
      variant={entry.destructive ? 'danger' : 'secondary'}
      size="sm"
      onPress={ask}
    >
      {Icon && <Icon aria-hidden="true" />}
      {entry.label}
    </Button>
  )
}

function Names({ names }: { names: readonly string[] }) {
  const others = names.length - MAX_NAMES
  return (
    <ul>
      {names.slice(0, MAX_NAMES).map((name) => (
        <li key={name}>
          <b>{name}</b>
        </li>
      ))}
      {others > 0 && <li>{text.moreNamesText(others)}</li>}
    </ul>
  )
}

/** The actions that can be done to several, in the order of the rows' menus, each with why it cannot be done to these. */
function actionsOf(chosen: readonly ChosenRow[]): SeveralAction[] {
  const actions = new Map<Several['kind'], SeveralAction>()
  for (const { key, entries } of chosen) {
    for (const entry of entries) {
      if (!('label' in entry) || !entry.several) continue
      const { several, disabledReason } = entry
      const action = actions.get(several.kind) ?? { entry, kind: several.kind, items: [] }
      actions.set(several.kind, action)
      action.items.push({ key, several })
      action.disabledReason ??= disabledReason && text.refusedForError(several.name, disabledReason)
    }
  }
  const names = new Map(
    [...actions.values()].flatMap(({ items }) =>
      items.map(({ key, several }) => [key, several.name]),
    ),
  )
  for (const action of actions.values()) {
    const missing = chosen.find(({ key }) => action.items.every((item) => item.key !== key))
    if (missing) action.disabledReason ??= text.notPossibleError(names.get(missing.key) ?? '')
  }
  return [...actions.values()]
}
