import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

afterEach(cleanup)

// jsdom has no `CSS` object, which react-aria uses to find elements by id. Ids of React hold no character
// that would end a quoted attribute value, except these.
globalThis.CSS ??= { escape: (text: string) => text.replace(/["\\\]:«»]/g, '\\$&') } as typeof CSS
