/** Croft's mark: an enclosure with an open gate and the house inside it. One colour, the text's. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 16 16" fill="currentColor" aria-hidden="true" className={className}>
      <path d="M2 1h8v2H3v10h10V6h2v8l-1 1H2l-1-1V2z" />
      <path d="M6 6h4v4H6z" />
    </svg>
  )
}
