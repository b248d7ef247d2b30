/** A text as it stands, in a box that scrolls both ways; the keyboard can scroll it as well. */
export function TextBox({ label, text }: { label: string; text: string }) {
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-[60vh] overflow-auto rounded-sm border border-line bg-sunken p-3 font-mono text-xs leading-5 text-fg"
    >
      {text || '(empty)'}
    </pre>
  )
}
