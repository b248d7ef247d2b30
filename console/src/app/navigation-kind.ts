import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Whether the page shown was reached by following a link, and not by a reload or a step through history. */
export function useIsPushed(): boolean {
  const { history } = useRouter()
  const [isPushed, setPushed] = useState(false)
  useEffect(() => history.subscribe(({ action }) => setPushed(action.type === 'PUSH')), [history])
  return isPushed
}
