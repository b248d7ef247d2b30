import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { SshKeyCreateForm } from '~/resource/ssh-key-create-form'
import { ToastStack } from '~/ui/toast'

import { runInShell } from './run-in-shell'

/** The requests that were sent. */
let sent: string[][]

beforeEach(() => {
  sent = []
  queryClient.clear()
  configureTransport({
    host: '',
    fetch: (url, init) => {
      sent.push([String(init?.method), url, String(init?.body)])
      return Promise.resolve(Response.json({ id: 'k', name: 'laptop', items: [] }))
    },
  })
})

function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <SshKeyCreateForm onCreated={() => undefined} onDismiss={() => undefined} />
      <ToastStack />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

const opener = () => screen.getByText('Show as code')
const shown = () => screen.getByRole('region', { name: 'Code' }).textContent

it('shows what the form sends, while it is filled in, and copies it', async () => {
  const user = show()
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'laptop')
  await user.click(opener())
  await screen.findByRole('region', { name: 'Code' })
  expect(sent).toEqual([])
  expect(shown()).toContain('croft current-user ssh-key create')

  await user.click(screen.getByRole('radio', { name: 'API' }))
  await user.type(screen.getByRole('textbox', { name: /Public key/ }), "ssh-ed25519 AAAA it's")
  await waitFor(() => expect(shown()).toContain('ssh-ed25519 AAAA'))

  const copied = vi.spyOn(navigator.clipboard, 'writeText')
  await user.click(screen.getByRole('button', { name: 'Copy code' }))
  const command = shown() ?? ''
  expect(copied).toHaveBeenCalledWith(command)

  await user.click(screen.getByRole('button', { name: 'Add SSH key' }))
  await waitFor(() => expect(sent.length).toBeGreaterThan(0))
  const { words } = runInShell('curl', command)
  expect([words[1], words[2], words.at(-1)]).toEqual([
    sent[0]?.[0],
    window.location.origin + String(sent[0]?.[1]),
    JSON.stringify(JSON.parse(sent[0]?.[2] ?? ''), null, 2),
  ])
})

it('is closed again', async () => {
  const user = show()
  await user.click(opener())
  await screen.findByRole('radiogroup', { name: 'Formats' })
  await user.click(opener())
  await waitFor(() => expect(screen.queryByRole('radiogroup')).toBeNull())
})
