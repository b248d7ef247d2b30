import type { ReactNode } from 'react'

import * as text from '~/messages/login'
import { Mark } from '~/ui/mark'

import { SessionEndedNote } from './session-ended-note'

const columns = 16
const rows = 14
const pitch = 48

/** The highlighted plot. */
const lit = { column: 9, row: 5 }

/** The background picture: the mark repeated in a grid, with one highlighted. */
function Croftland() {
  const plots = Array.from({ length: columns * rows }, (_, index) => {
    const column = index % columns
    const row = Math.floor(index / columns)
    return { column, row, turn: (column * 7 + row * 11 + ((column * row) % 5)) % 4 }
  })
  return (
    <svg
      viewBox={`0 0 ${columns * pitch} ${rows * pitch}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className="absolute inset-0 size-full mask-[radial-gradient(circle_at_60%_42%,#000,transparent_72%)]"
    >
      {plots.map(({ column, row, turn }) => {
        const isLit = column === lit.column && row === lit.row
        return (
          <g
            key={`${column}-${row}`}
            transform={`translate(${(column + 0.5) * pitch} ${(row + 0.5) * pitch}) rotate(${isLit ? 0 : turn * 90}) scale(1.75) translate(-8 -8)`}
            className={isLit ? 'fill-accent-solid' : 'fill-line-strong'}
          >
            <path d="M2 1h8v2H3v10h10V6h2v8l-1 1H2l-1-1V2z" />
            {isLit && <path d="M6 6h4v4H6z" />}
          </g>
        )
      })}
    </svg>
  )
}

/** The frame of the login screens: picture at the left from 768 px on, a narrow column in the middle of the rest. */
export function LoginLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh bg-canvas text-fg">
      <div className="relative hidden w-1/2 overflow-hidden border-r border-line bg-chrome md:block">
        <Croftland />
        <header className="absolute top-8 left-8 flex items-center gap-2.5 text-lg font-semibold">
          <Mark className="size-5 text-accent-text" />
          {text.productLabel}
        </header>
      </div>
      <main className="relative flex grow flex-col items-center justify-center px-6 py-20">
        <div className="w-80 max-w-full">
          <SessionEndedNote />
          {children}
        </div>
        <div className="absolute bottom-8 flex items-center gap-2 font-semibold md:hidden">
          <Mark className="size-4 text-accent-text" />
          {text.productLabel}
        </div>
      </main>
    </div>
  )
}
