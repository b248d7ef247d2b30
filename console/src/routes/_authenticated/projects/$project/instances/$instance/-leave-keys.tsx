import { LEAVE_KEY } from './-leave-key'

/** The keys that leave a console, as keyboards label them. */
export function LeaveKeys() {
  return (
    <>
      {LEAVE_KEY.map((key, index) => (
        <span key={key}>
          {index > 0 && '+'}
          <kbd className="rounded-sm border border-line-strong bg-chrome px-1 text-xs text-fg-muted">
            {key}
          </kbd>
        </span>
      ))}
    </>
  )
}
