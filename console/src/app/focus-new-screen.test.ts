import { beforeEach, describe, expect, it, vi } from 'vitest'

import { focusNewScreen, mainHeading } from './focus-new-screen'

const show = (main: string) => {
  document.body.innerHTML = `<a href="/a">link</a><div id="content" tabindex="-1"></div><main>${main}</main>`
}
const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()
const focused = () => document.activeElement?.localName

beforeEach(() => show('<h1>Projects</h1><button>New</button>'))

describe('focusNewScreen', () => {
  it('goes to the heading of a new screen, whatever had the focus', () => {
    const before = mainHeading()
    show('<h1>Instances</h1>')
    focus('a')
    focusNewScreen(before)
    expect(focused()).toBe('h1')
  })

  it('tells screens of one route apart by what the heading says', () => {
    const before = mainHeading()
    focus('a')
    if (before) before.element.textContent = 'Other'
    focusNewScreen(before)
    expect(focused()).toBe('h1')
  })

  it('leaves the focus alone on the same screen', () => {
    focus('button')
    focusNewScreen(mainHeading())
    expect(focused()).toBe('button')
  })

  it('comes back to the heading when the focused element of the same screen is gone', async () => {
    focusNewScreen(mainHeading())
    await vi.waitFor(() => expect(focused()).toBe('h1'))
  })

  it('respects a field that asked for the focus', () => {
    show('<h1>Create instance</h1><input>')
    focus('input')
    focusNewScreen(null)
    expect(focused()).toBe('input')
  })

  it('leaves an open dialog its focus', () => {
    show('<h1>Projects</h1><div role="dialog"><input></div>')
    focusNewScreen(null)
    expect(focused()).toBe('body')
  })

  it('goes to the start of the content of a screen without heading', () => {
    show('terminal')
    focusNewScreen(null)
    expect(document.activeElement?.id).toBe('content')
  })
})
