import { cn } from '~/ui/class-names'

interface TextBoxProps {
  label: string
  text: string
  /** Class that limits the height. */
  height?: string
}

/** Preformatted text in a box that scrolls both ways; the keyboard can scroll it as well. */
export function TextBox({ label, text, height = 'max-h-[60vh]' }: TextBoxProps) {
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={label}
      className={cn(
        'overflow-auto rounded-sm border border-line bg-sunken p-3 font-mono text-xs leading-5 text-fg',
        height,
      )}
    >
      {text || '(empty)'}
    </pre>
  )
}
