import type { ReactNode } from 'react'
import { useId } from 'react'

import { formatBigNumber, formatInteger, percentOf, splitDecimal } from '~/lib/numbers'
import * as messages from '~/messages/charts'
import { BigNumber } from '~/ui/big-number'
import { cn } from '~/ui/class-names'

type CapacityBarProps<N extends number | bigint> = {
  icon?: ReactNode
  title: string
  /** In words, for example "GiB"; empty for plain counts. */
  unit?: string
  /** The numbers count things, so that the title's unit says enough. */
  isCount?: boolean
  /** In the unit. */
  provisioned: N
  /** In the unit. */
  capacity: N
  /** What is taken, in a word. */
  provisionedLabel?: string
  /** What the capacity is called, for example "Quota". */
  capacityLabel?: string
}

/** Above two thirds a share is worth a look, above three quarters it is getting tight. */
export function capacityTone(percent: number): 'accent' | 'notice' | 'danger' {
  if (percent > 75) return 'danger'
  if (percent > 66) return 'notice'
  return 'accent'
}

const fills = { accent: 'bg-accent-solid', notice: 'bg-notice-solid', danger: 'bg-danger-solid' }

/** The share of a capacity that is used. With a capacity of zero the bar is empty and shows no percentage. */
export function CapacityBar<N extends number | bigint>({
  icon,
  title,
  unit,
  isCount = false,
  provisioned,
  capacity,
  provisionedLabel = messages.provisionedLabel,
  capacityLabel = messages.capacityLabel,
}: CapacityBarProps<N>) {
  const titleId = useId()
  const percent = capacity > 0 ? percentOf(provisioned, capacity) : null
  const share = percent === null ? { whole: '—', decimal: '' } : splitDecimal(percent)
  const amountUnit = isCount ? undefined : unit
  return (
    <section aria-labelledby={titleId} className="rounded-md border border-line">
      <header className="flex items-center justify-between px-4 py-3">
        <h2 id={titleId} className="flex items-center gap-2 text-sm font-medium [&_svg]:size-4">
          {icon && (
            <span aria-hidden="true" className="text-fg-subtle">
              {icon}
            </span>
          )}
          {title}
          {unit && <span className="font-mono text-xs font-normal text-fg-subtle">{unit}</span>}
        </h2>
        <span className="font-mono text-lg leading-none tabular">
          {share.whole}
          <span className="text-xs text-fg-subtle">{share.decimal}%</span>
        </span>
      </header>
      <div className="px-4 pb-3">
        <div
          role="meter"
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.min(100, percent ?? 0)}
          aria-valuetext={messages.amountText(
            formatInteger(provisioned),
            unit ? `${formatInteger(capacity)} ${unit}` : formatInteger(capacity),
          )}
          className="h-1.5 overflow-hidden rounded-full bg-pressed"
        >
          <div
            className={cn('h-full rounded-full', fills[capacityTone(percent ?? 0)])}
            style={{ width: `${Math.min(100, percent ?? 0)}%` }}
          />
        </div>
      </div>
      <dl className="grid grid-cols-2 divide-x divide-line border-t border-line text-sm">
        <Amount label={provisionedLabel} amount={provisioned} unit={amountUnit} />
        <Amount label={capacityLabel} amount={capacity} unit={amountUnit} />
      </dl>
    </section>
  )
}

interface AmountProps {
  label: string
  amount: number | bigint
  unit?: string
}

function Amount({ label, amount, unit }: AmountProps) {
  const { text, abbreviated } = formatBigNumber(amount)
  return (
    <div className="flex items-center justify-between gap-3 px-4 py-2">
      <dt className="text-label text-fg-subtle">{label}</dt>
      <dd className="font-mono text-xs whitespace-nowrap tabular">
        {abbreviated ? <BigNumber value={amount} /> : text}
        {unit && <span className="text-fg-subtle"> {unit}</span>}
      </dd>
    </div>
  )
}
