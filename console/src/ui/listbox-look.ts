import { cn } from '~/ui/class-names'
import type { ListOption } from '~/ui/form/list-options'

/** Look of the button of a listbox. */
export const listboxClass = (isInvalid: boolean, className?: string): string =>
  cn(
    'flex h-8 w-full cursor-default items-center gap-2 rounded-sm border bg-field px-2.5 text-sm disabled:border-line-strong disabled:bg-sunken',
    isInvalid ? 'border-danger-solid' : 'border-line-control',
    className,
  )

/** What a listbox shows of the option that is chosen; nothing for none. */
export function chosenLabel(options: readonly ListOption[], value: string): string {
  const chosen = options.find((option) => option.value === value)
  return chosen?.chosenLabel ?? chosen?.label ?? ''
}
