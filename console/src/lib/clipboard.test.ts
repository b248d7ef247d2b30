import { afterEach, describe, expect, it, vi } from 'vitest'

import { copyText } from './clipboard'

function replaceClipboard(value: Pick<Clipboard, 'writeText'> | undefined): void {
  Object.defineProperty(navigator, 'clipboard', { value, configurable: true })
}

afterEach(() => {
  replaceClipboard(undefined)
  Reflect.deleteProperty(document, 'execCommand')
})

describe('copyText', () => {
  it('uses the asynchronous clipboard', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
    replaceClipboard({ writeText })
    await copyText('abc')
    expect(writeText).toHaveBeenCalledWith('abc')
  })

  it('copies a selected field where there is none, and gives the focus back', async () => {
    replaceClipboard(undefined)
    const button = document.body.appendChild(document.createElement('button'))
    button.focus()
    let copied = ''
    document.execCommand = () => {
      copied = document.querySelector('textarea')?.value ?? ''
      return true
    }
    await copyText('abc')
    expect(copied).toBe('abc')
    expect(document.querySelector('textarea')).toBeNull()
    expect(document.activeElement).toBe(button)
    button.remove()
  })

  it('fails when the browser refuses', async () => {
    replaceClipboard(undefined)
    document.execCommand = () => false
    await expect(copyText('abc')).rejects.toThrow('refused')
  })
})
