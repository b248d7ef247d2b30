import { useEffect, useState } from 'react'

/** Fine enough for texts that count minutes. */
const TICK = 10_000

/** The current time in milliseconds, renewed every ten seconds. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK)
    return () => clearInterval(timer)
  }, [])
  return now
}
