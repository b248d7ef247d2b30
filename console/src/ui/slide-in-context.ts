import { createContext } from 'react'

/**
 * Whether a side modal that opens now was reached by following a link. The app sets it from the
 * router: panels slide in then, and simply stand there after a reload or a step through history.
 */
export const SlideInContext = createContext(false)
