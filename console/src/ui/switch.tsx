import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import type { ButtonProps } from '~/ui/button'
import { cn } from '~/ui/class-names'

interface SwitchProps extends Pick<ButtonProps, 'needs' | 'disabledReason'> {
  /** What is switched: accessible name. */
  label: string
  isSelected: boolean
  onChange: (isSelected: boolean) => void
}

/** Something that is on or off as soon as it is pressed, and says in words which. */
export function Switch({ label, isSelected, onChange, ...props }: SwitchProps) {
  return (
    <Button
      {...props}
      variant="ghost"
      size="sm"
      className="-mr-1.5 px-1.5"
      aria-label={label}
      onPress={() => onChange(!isSelected)}
      role="switch"
      aria-checked={isSelected}
    >
      <span className="w-5 text-right text-fg-muted">
        {isSelected ? common.onLabel : common.offLabel}
      </span>
      <span
        aria-hidden="true"
        className={cn(
          'flex h-[18px] w-8 items-center rounded-full border px-0.5 transition-colors',
          isSelected
            ? 'justify-end border-accent-solid bg-accent-solid'
            : 'border-line-control bg-sunken',
        )}
      >
        <span
          className={cn('size-3 rounded-full', isSelected ? 'bg-accent-on' : 'bg-line-control')}
        />
      </span>
    </Button>
  )
}
