import { CircleCheck, CircleX } from 'lucide-react'

/** Yes or no in a table: an icon named "true" or "false". */
export function BooleanCell({ value }: { value: boolean }) {
  const Icon = value ? CircleCheck : CircleX
  return (
    <Icon
      role="img"
      aria-label={String(value)}
      className={value ? 'size-4 text-accent-text' : 'size-4 text-notice-text'}
    />
  )
}
