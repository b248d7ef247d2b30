import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { ReactNode } from 'react'

import { utilizationView } from '~/api/generated/operations'
import { qOptional } from '~/api/query'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/form-summary'
import { cn } from '~/ui/class-names'
import { Message } from '~/ui/message'
import { useRefusal } from '~/ui/refusal-context'
import type { Needs } from '~/ui/refusal-context'

interface SummaryFrameProps {
  className?: string
  children: ReactNode
}

/** The frame of what a form comes to. */
export function SummaryFrame({ className, children }: SummaryFrameProps) {
  const id = useId()
  return (
    <aside
      aria-labelledby={id}
      className={cn('rounded-md border border-line p-4 text-sm', className)}
    >
      <h2 id={id} className="text-base font-semibold">
        {text.summaryTitle}
      </h2>
      {children}
    </aside>
  )
}

interface FormSummaryProps {
  /** The operation that submitting the form calls. Who may not call it sees no summary. */
  needs: Needs
  /** Why the server would refuse what is entered, as far as the console knows. */
  problems?: readonly (string | undefined)[]
  /** Sections, and facts in {@link Facts}. */
  children: ReactNode
}

/** What comes of a form in a panel, live below its fields. */
export function FormSummary({ needs, problems = [], children }: FormSummaryProps) {
  const isRefused = useRefusal()(needs) !== undefined
  if (isRefused) return null
  const known = problems.filter((problem) => problem !== undefined)
  return (
    <SummaryFrame className="space-y-3">
      <div role="status" className="empty:hidden">
        {known.length > 0 && (
          <Message tone="notice" title={text.problemsTitle}>
            {known.map((problem) => (
              <p key={problem}>{problem}</p>
            ))}
          </Message>
        )}
      </div>
      {children}
    </SummaryFrame>
  )
}

interface SummarySectionProps {
  title: string
  children: ReactNode
}

/** A part of a summary with a heading of its own. */
export function SummarySection({ title, children }: SummarySectionProps) {
  return (
    <section className="space-y-1.5 border-t border-line pt-3">
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  )
}

/** Facts, each in a line. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">{children}</dl>
)

interface FactProps {
  label: string
  /** It is too much, or the like. */
  isWrong?: boolean
  /** It is an address. */
  isCode?: boolean
  children: ReactNode
}

/** One fact; nothing as long as it is not known. */
export function Fact({ label, isWrong = false, isCode = false, children }: FactProps) {
  if (children === undefined || children === '' || children === false) return null
  return (
    <>
      <dt className="text-fg-subtle">{label}</dt>
      <dd
        className={cn(
          'min-w-0 text-right break-words tabular',
          isCode && 'font-mono text-xs leading-5',
          isWrong && 'font-medium text-danger-text',
        )}
      >
        {children}
      </dd>
    </>
  )
}

/** What is needed of something that is limited. */
export interface Amount {
  needed: number
  used: number
  limit: number
}

/** What is left of an amount before it is taken. */
export const leftOf = ({ used, limit }: Amount): number => Math.max(limit - used, 0)

interface AmountFactProps {
  label: string
  amount: Amount
  format?: (amount: number) => string
}

/** What a form takes of what is left. */
export function AmountFact({ label, amount, format = formatBytes }: AmountFactProps) {
  const { needed } = amount
  const left = leftOf(amount)
  const isBeyond = needed > left
  const words = isBeyond ? text.beyondText : text.takesText
  return (
    <Fact label={label} isWrong={isBeyond}>
      {words(format(needed), format(left))}
    </Fact>
  )
}

/** The quota of the person's silo and what is used of it; null for who may not read it. */
const siloUsage = qOptional(utilizationView, {})

/** What the silo's quota of storage has to do with a number of bytes. Nothing as long as that is not known. */
export function useStorageQuota(needed: number): { amount?: Amount; problem?: string } {
  const { data } = useQuery(siloUsage)
  if (!data || !(needed > 0)) return {}
  const amount = { needed, used: data.provisioned.storage, limit: data.capacity.storage }
  const left = leftOf(amount)
  return {
    amount,
    ...(needed > left && {
      problem: text.storageQuotaError(formatBytes(needed), formatBytes(left)),
    }),
  }
}

/** How much of the silo's storage is taken, with a heading. Nothing for who may not read the quota. */
export const StorageQuota = ({ amount }: { amount: Amount | undefined }) =>
  amount && (
    <SummarySection title={text.quotaTitle}>
      <Facts>
        <AmountFact label={text.storageLabel} amount={amount} />
      </Facts>
    </SummarySection>
  )
