import { CopyButton } from '~/ui/copy-button'

interface CodeBlockProps {
  /** Accessible name of the code, which can be scrolled by keyboard. */
  label: string
  copyLabel: string
  value: string
}

/** Code of several lines, with a button that copies it. */
export function CodeBlock({ label, copyLabel, value }: CodeBlockProps) {
  return (
    <div className="relative">
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="overflow-x-auto rounded-md border border-line bg-sunken p-3 pr-12 text-xs"
      >
        {value}
      </pre>
      <span className="absolute top-2 right-2 rounded-sm bg-sunken">
        <CopyButton value={value} label={copyLabel} />
      </span>
    </div>
  )
}
