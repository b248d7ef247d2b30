import { cn } from '~/ui/class-names'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
/** `base` is 32 px high, `sm` 28 px; `icon` is a 32 px square for one icon. */
export type ButtonSize = 'sm' | 'base' | 'icon'

const variantClasses: Record<ButtonVariant, string> = {
  primary:
    'border-transparent bg-accent-solid font-medium text-accent-on enabled-look:hover:bg-accent-solid-hover',
  secondary:
    'border-line-strong bg-canvas text-fg enabled-look:hover:border-line-control enabled-look:hover:bg-hover',
  ghost:
    'border-transparent text-fg-muted enabled-look:hover:bg-hover enabled-look:hover:text-fg enabled-look:active:bg-pressed',
  danger:
    'border-danger-border bg-danger-bg font-medium text-danger-text enabled-look:hover:border-danger-solid',
}

const sizeClasses: Record<ButtonSize, string> = {
  sm: 'h-7 gap-1.5 px-2.5 text-xs',
  base: 'h-8 gap-1.5 px-3 text-sm',
  icon: 'size-8 justify-center text-sm',
}

/** What a caller chooses of a button's look. */
export type ButtonLook = { variant?: ButtonVariant; size?: ButtonSize; className?: string }

/** The look of a button, for links that act like one. */
export function buttonClass({ variant = 'primary', size = 'base', className }: ButtonLook = {}) {
  return cn(
    'relative inline-flex shrink-0 cursor-default items-center justify-center rounded-sm border whitespace-nowrap transition-colors select-none',
    'disabled:opacity-50 not-aria-busy:aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
    variantClasses[variant],
    sizeClasses[size],
    className,
  )
}
