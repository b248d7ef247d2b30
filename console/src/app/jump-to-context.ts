import { createContext } from 'react'

/** Opens the palette; given by the authenticated layout. */
export const JumpToContext = createContext<() => void>(() => {})
