import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { Disk } from '~/api/generated/types.gen'
import { queryClient } from '~/api/query-client'
import { GIB } from '~/lib/units'
import { INSTANCE_FORM_DEFAULTS } from '~/resource/instance-form'
import type { InstanceFormValues } from '~/resource/instance-form'

import { BootDiskFields } from './-instance-boot-disk-fields'
import { DiskFields } from './-instance-disk-fields'

vi.mock('~/app/button-link', () => ({ ButtonLink: () => null }))

const disk = (name: string) =>
  ({ id: name, name, size: GIB, state: { state: 'detached' } }) as unknown as Disk
const disks = [disk('system'), disk('data')]

function show() {
  configureTransport({
    fetch: async () =>
      Response.json({
        items: disks.map(({ id, name, size, state }) => ({ id, name, size, state })),
      }),
  })
  const submitted = vi.fn()
  function Form() {
    const form = useForm<InstanceFormValues>({ defaultValues: INSTANCE_FORM_DEFAULTS })
    const shared = { ...form, project: 'web', disks }
    return (
      <QueryClientProvider client={queryClient}>
        <form onSubmit={(event) => void form.handleSubmit(submitted)(event)}>
          <BootDiskFields {...shared} siloImages={[]} projectImages={[]} />
          <DiskFields {...shared} />
          <button type="submit">Send</button>
        </form>
      </QueryClientProvider>
    )
  }
  render(<Form />)
  return submitted
}

const openTab = (name: string) => userEvent.click(screen.getByRole('tab', { name }))

it('lets a disk be attached once only, though it was chosen to boot from on another tab', async () => {
  const submitted = show()
  await userEvent.click(screen.getByRole('combobox', { name: /^Disk/ }))
  await userEvent.click(await screen.findByRole('option', { name: /system/ }))
  await openTab('New disk')
  await userEvent.click(screen.getByRole('button', { name: 'Attach existing disk' }))
  const dialog = await screen.findByRole('dialog', { name: 'Attach disk' })
  await userEvent.click(within(dialog).getByRole('combobox', { name: 'Disk name' }))
  await userEvent.click(await screen.findByRole('option', { name: /system/ }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Attach disk' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await openTab('Existing disks')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Disk is required')).toBeDefined()
  expect(submitted).not.toHaveBeenCalled()
})
