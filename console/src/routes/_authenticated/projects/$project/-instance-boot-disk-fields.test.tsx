import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { describe, expect, it, vi } from 'vitest'

import type { Disk, Image } from '~/api/generated/types.gen'
import { GIB } from '~/lib/units'
import { bootDefaults, INSTANCE_FORM_DEFAULTS } from '~/resource/instance-form'
import type { InstanceFormValues } from '~/resource/instance-form'

import { BootDiskFields } from './-instance-boot-disk-fields'

vi.mock('~/app/button-link', () => ({ ButtonLink: () => null }))

const image = (name: string, gib: number) =>
  ({ id: name, name, os: 'linux', version: '1', size: gib * GIB }) as Image
const disk = (name: string, state: 'attached' | 'detached') =>
  ({ name, size: GIB, state: { state } }) as unknown as Disk

interface Offer {
  siloImages?: Image[]
  projectImages?: Image[]
  disks?: Disk[]
}

function show({ siloImages = [], projectImages = [], disks = [] }: Offer) {
  const submitted = vi.fn()
  function Form() {
    const form = useForm<InstanceFormValues>({
      defaultValues: { ...INSTANCE_FORM_DEFAULTS, ...bootDefaults(siloImages, projectImages) },
    })
    return (
      <form onSubmit={(event) => void form.handleSubmit(submitted)(event)}>
        <BootDiskFields {...form} {...{ siloImages, projectImages, disks }} project="web" />
        <button type="submit">Send</button>
      </form>
    )
  }
  render(<Form />)
  return submitted
}

const size = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Disk size (GiB)' })
const openTab = (name: string) => userEvent.click(screen.getByRole('tab', { name }))
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }))

async function choose(name: string) {
  // The list opens when the input takes the focus, so it has to let go of it first.
  await userEvent.click(document.body)
  await userEvent.click(screen.getByRole('combobox', { name: 'Image' }))
  await userEvent.click(await screen.findByRole('option', { name: new RegExp(name) }))
}

describe('BootDiskFields', () => {
  const siloImages = [image('small', 4), image('large', 23)]
  const projectImages = [image('own', 45)]

  it('raises the size for an image and never lowers it', async () => {
    show({ siloImages })
    expect(size().value).toBe('10')
    await choose('large')
    expect(size().value).toBe('30')
    await choose('small')
    expect(size().value).toBe('30')
  })

  it('raises a size that is too small for the image when the field is left', async () => {
    show({ siloImages })
    await choose('large')
    await userEvent.clear(size())
    await userEvent.type(size(), '5')
    await userEvent.tab()
    expect(size().value).toBe('23')
  })

  it('keeps the choice of each tab, and makes room when one is opened again', async () => {
    const submitted = show({ siloImages, projectImages })
    await choose('large')
    await openTab('Project images')
    await choose('own')
    expect(size().value).toBe('50')
    await userEvent.clear(size())
    await userEvent.type(size(), '46')
    await openTab('Silo images')
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Image' }).value).toBe('large')
    await send()
    expect(submitted.mock.calls[0]?.[0]).toMatchObject({
      bootSource: 'silo-image',
      siloImage: 'large',
      projectImage: 'own',
      bootDiskSize: 46,
    })
  })

  it('checks only the tab in sight', async () => {
    const submitted = show({ siloImages, disks: [disk('free', 'detached')] })
    await send()
    expect(await screen.findByText('Image is required')).toBeDefined()
    await openTab('Existing disks')
    await send()
    expect(await screen.findByText('Disk is required')).toBeDefined()
    expect(submitted).not.toHaveBeenCalled()
  })

  it('begins with the disks where there are no images, and says what is missing', () => {
    show({ disks: [disk('busy', 'attached')] })
    expect(screen.getByRole('tab', { name: 'Existing disks', selected: true })).toBeDefined()
    expect(screen.getByText('No detached disks found')).toBeDefined()
    expect(screen.getByText(/no images or disks to start from/)).toBeDefined()
  })
})
