/** Stands where a value is missing. */
export function EmptyCell() {
  return <span className="text-fg-subtle">—</span>
}
