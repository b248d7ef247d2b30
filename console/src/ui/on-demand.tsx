import { useEffect, useRef, useState, type ComponentType } from 'react'

import * as text from '~/messages/errors'
import { toast } from '~/ui/toast'

interface OnDemandProps {
  /** The code did not come: closes what was to open, so that the person can try again. */
  onMissing?: () => void
}

/** A component whose code is loaded when it is first shown, or when `preload` is called. */
export type OnDemand<P> = ComponentType<P & OnDemandProps> & {
  /** Fetches the code ahead of its use, because the person is about to need it. */
  preload: () => void
}

/**
 * Splits off what opens now and then: menus, panels, dialogs. Where the code cannot be fetched, a toast says so and the
 * screen stays as it is, with everything entered in it; `React.lazy` would give the whole screen up, and for good.
 */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>): OnDemand<P> {
  let loaded: ComponentType<P> | undefined
  let loading: Promise<ComponentType<P>> | undefined
  // Several places may ask before the code is there. A failure is forgotten, so that the next one tries again.
  const fetchPart = () => {
    loading ??= load().then(
      (part) => (loaded = part),
      (failure: unknown) => {
        loading = undefined
        throw failure
      },
    )
    return loading
  }

  function Part({ onMissing, ...props }: P & OnDemandProps) {
    const [Loaded, setLoaded] = useState(() => loaded)
    const missing = useRef(onMissing)
    useEffect(() => {
      missing.current = onMissing
    })
    useEffect(() => {
      let isShown = true
      const report = () => {
        if (!isShown) return
        tellMissing()
        missing.current?.()
      }
      fetchPart().then((part) => isShown && setLoaded(() => part), report)
      return () => {
        isShown = false
      }
    }, [])
    return Loaded ? <Loaded {...(props as unknown as P)} /> : null
  }

  return Object.assign(Part, {
    // Without use for it yet, a failure is no news.
    preload: () => void fetchPart().catch(() => undefined),
  })
}

/** Says that the code of something could not be fetched. */
export function tellMissing() {
  toast({
    variant: 'error',
    title: text.openTitle,
    content: text.openError,
  })
}
