import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

import { quickComputedStyle } from './test-style'

// Files of tests share a page and the libraries. The console's own modules are evaluated anew for each file: what they keep (the cache of
// answers, the transport, toasts, a question) and what a file mocks ends with that file.
vi.resetModules()

const { getComputedStyle } = window
window.getComputedStyle = quickComputedStyle(getComputedStyle)

afterEach(cleanup)

// Most tests of deletions are about what is sent, not about the time in which it can be undone.
localStorage.setItem('croft-deletions', 'at-once')

// The next file finds the page and what is global as this one did.
afterAll(() => {
  window.getComputedStyle = getComputedStyle
  Object.assign(vi, { waitFor, waitUntil })
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  localStorage.clear()
  sessionStorage.clear()
  for (const element of [document.documentElement, document.head, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  }
  document.head.replaceChildren()
  document.body.replaceChildren()
  window.history.replaceState(null, '', '/')
  // What jsdom's navigator has is inherited; the rest was put there by tests.
  for (const name of Object.getOwnPropertyNames(navigator)) Reflect.deleteProperty(navigator, name)
})

// jsdom has no `CSS` object, which react-aria uses to find elements by id. Ids of React hold no character
// that would end a quoted attribute value, except these.
globalThis.CSS ??= { escape: (text: string) => text.replace(/["\\\]:«»]/g, '\\$&') } as typeof CSS

// jsdom does not scroll.
Element.prototype.scrollIntoView ??= () => {}

// Menus and dialogs are loaded when first used, which takes its time on a busy machine; what is there is found at once all the same.
const WAIT = 8000
configure({ asyncUtilTimeout: WAIT })
const { waitFor, waitUntil } = vi
vi.waitFor = (callback, options = WAIT) => waitFor(callback, options)
vi.waitUntil = (callback, options = WAIT) => waitUntil(callback, options)
