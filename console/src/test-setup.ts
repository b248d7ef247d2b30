import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

afterEach(cleanup)

// jsdom has no `CSS` object, which react-aria uses to find elements by id. Ids of React hold no character
// that would end a quoted attribute value, except these.
globalThis.CSS ??= { escape: (text: string) => text.replace(/["\\\]:«»]/g, '\\$&') } as typeof CSS

// Menus and dialogs are loaded when first used, which takes its time on a busy machine; what is there is found at once all the same.
configure({ asyncUtilTimeout: 8000 })
