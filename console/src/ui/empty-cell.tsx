/** A dash for a missing value. */
export function EmptyCell() {
  return <span className="text-fg-subtle">—</span>
}
