import { cn } from '~/ui/class-names'

const columns = 6
const rows = 3

/**
 * Which bars a name draws: 18 cells, row by row, each row mirrored left to right. FNV-1a with a final
 * mix is plenty: this tells names apart at a glance and guards nothing.
 */
export function identiconCells(name: string): boolean[] {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(name)) {
    hash = Math.imul(hash ^ byte, 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  hash ^= hash >>> 13

  const half = columns / 2
  // An empty picture would look broken; a name whose bits are all zero gets the middle bars.
  const bits = (hash & 0x1ff) === 0 ? 0b100_100_100 : hash
  return Array.from({ length: rows * columns }, (_, index) => {
    const row = Math.floor(index / columns)
    const column = index % columns
    const mirrored = column < half ? column : columns - 1 - column
    return ((bits >>> (row * half + mirrored)) & 1) === 1
  })
}

/** A picture of a name: a 6 × 3 grid of bars, the same for the same name everywhere. */
export function Identicon({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-flex size-7 shrink-0 items-center justify-center rounded-sm border border-accent-border bg-accent-bg text-accent-text',
        className,
      )}
    >
      <svg viewBox="0 0 17 17" className="size-[17px]" fill="currentColor">
        {identiconCells(name).map((isDrawn, index) => (
          <rect
            key={index}
            x={(index % columns) * 3}
            y={Math.floor(index / columns) * 6}
            width="2"
            height="5"
            opacity={isDrawn ? 1 : 0.16}
          />
        ))}
      </svg>
    </span>
  )
}
