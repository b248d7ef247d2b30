import { useEffect, useRef, useState } from 'react'

/** Milliseconds without a key until the URL has what is typed. */
const PAUSE = 200

/**
 * A text that is typed and kept in the URL, after a pause. If the URL changes otherwise, by a link or the back button, the text follows it.
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
  useEffect(() => () => clearTimeout(timer.current), [])
  if (kept !== seen) {
    setSeen(kept)
    if (kept !== written) setTyped(kept)
  }
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setWritten(text.trim())
      write(text.trim() || undefined)
    }, PAUSE)
  }
  return [typed, type] as const
}
