import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { Instance } from '~/api/generated/types.gen'
import { queryClient } from '~/api/query-client'

import { InstanceResizeDialog } from './instance-resize-dialog'

const stopped = {
  id: 'id',
  name: 'db1',
  runState: 'stopped',
  ncpus: 2,
  memory: 4 * 1024 ** 3,
  bootDiskId: 'boot-id',
  autoRestartPolicy: 'never',
} as Instance

function show(instance: Instance) {
  const onDismiss = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <InstanceResizeDialog
        instance={instance}
        project="web"
        linkToInstance={false}
        onDismiss={onDismiss}
      />
    </QueryClientProvider>,
  )
  return onDismiss
}

const submit = () => screen.getByRole('button', { name: 'Resize' })

describe('InstanceResizeDialog', () => {
  it('says what is wrong while it is typed, and cannot be sent then', async () => {
    const user = userEvent.setup()
    show(stopped)
    expect(submit().getAttribute('aria-disabled')).toBe('true')
    const cpus = screen.getByRole('textbox', { name: 'vCPUs' })
    await user.clear(cpus)
    await user.type(cpus, '65')
    expect(await screen.findByText('Can be at most 64')).toBeTruthy()
    expect(submit().getAttribute('aria-disabled')).toBe('true')
  })

  it('sends the whole instance, so that nothing is unset', async () => {
    const user = userEvent.setup()
    const answer = vi.fn(async (_url: string, _init: RequestInit) => Response.json({}))
    configureTransport({ fetch: answer })
    const onDismiss = show(stopped)
    const memory = screen.getByRole('textbox', { name: 'Memory (GiB)' })
    await user.clear(memory)
    await user.type(memory, '6')
    await waitFor(() => expect(submit().getAttribute('aria-disabled')).toBeNull())
    await user.click(submit())
    await waitFor(() => expect(onDismiss).toHaveBeenCalledOnce())
    const [url, init] = answer.mock.calls[0] ?? []
    expect(url).toBe('/v1/instances/db1?project=web')
    expect(JSON.parse(String(init?.body))).toEqual({
      ncpus: 2,
      memory: 6 * 1024 ** 3,
      boot_disk: 'boot-id',
      auto_restart_policy: 'never',
    })
  })

  it('explains itself for an instance that runs', () => {
    show({ ...stopped, runState: 'running' })
    expect(screen.getAllByText('An instance must be stopped to be resized')).not.toHaveLength(0)
    expect((screen.getByRole('textbox', { name: 'vCPUs' }) as HTMLInputElement).disabled).toBe(true)
  })
})
