import { useEffect, useRef, useState } from 'react'

/** Least time between two texts that are put into the URL while somebody types, in milliseconds. */
const INTERVAL = 100

/**
 * A text that is typed and kept in the URL: after a quiet time at once, so that what it finds is there as soon as can be, and then at most
 * once in a while. If the URL changes otherwise, by a link or the back button, the text follows it.
 *
 * @param kept the text in the URL.
 * @param write puts a text into the URL; `undefined` for none.
 * @returns the text to show, and the function that takes what is typed.
 */
export function useUrlText(kept: string, write: (text: string | undefined) => void) {
  const [typed, setTyped] = useState(kept)
  const [seen, setSeen] = useState(kept)
  const [written, setWritten] = useState(kept)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const writtenAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (kept !== seen) {
    setSeen(kept)
    if (kept !== written) setTyped(kept)
  }
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    const elapsed = performance.now() - writtenAt.current
    timer.current = setTimeout(
      () => {
        writtenAt.current = performance.now()
        setWritten(text.trim())
        write(text.trim() || undefined)
      },
      Math.max(0, INTERVAL - elapsed),
    )
  }
  return [typed, type] as const
}
