import type { Page } from '@playwright/test'

import { screenIsThere } from '../fixtures/page'
import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// Uploads of images that are interrupted.

const MIB = 1024 ** 2
const CHUNK = MIB / 2

interface Write {
  offset: number
  base64_encoded_data: string
}

/** A file of eight chunks, the third of which is blank. */
function content(): Buffer {
  const bytes = Buffer.alloc(4 * MIB)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = 1 + ((at * 7 + at / CHUNK) & 127)
  return bytes.fill(0, 2 * CHUNK, 3 * CHUNK)
}

const chosen = (buffer: Buffer, name = 'alpine.raw') => ({ name, mimeType: '', buffer })

/** Lets some chunks through to the server and holds all others back, until it is told otherwise. */
async function holdChunks(page: Page, passing: number) {
  const written: Write[] = []
  const state = { passing }
  await page.route(/\/bulk-write$/, async (route) => {
    if (state.passing === 0) return
    state.passing -= 1
    written.push(route.request().postDataJSON() as Write)
    await route.continue()
  })
  return {
    written,
    release: () => {
      state.passing = Number.POSITIVE_INFINITY
    },
  }
}

async function begin(page: Page, name: string) {
  await page.getByRole('textbox', { name: /^Name/ }).fill(name)
  await page.getByRole('textbox', { name: /^OS/ }).fill('Alpine')
  await page.getByRole('textbox', { name: /^Version/ }).fill('3.22')
  await page.locator('input[type=file]').setInputFiles(chosen(content()))
  await page.getByRole('button', { name: 'Upload image' }).click()
}

/** What the disk has after these writes. */
function written(writes: readonly Write[]): Buffer {
  const disk = Buffer.alloc(4 * MIB)
  for (const { offset, base64_encoded_data: data } of writes) {
    Buffer.from(data, 'base64').copy(disk, offset)
  }
  return disk
}

const tray = (page: Page) => page.getByRole('button', { name: 'Background work' })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Background work' })

const uploadOf = (page: Page, project: string) =>
  panel(page).getByRole('listitem', { name: `Upload image alpine in ${project}` })

/** Interrupts an upload to a project by a reload, after three of its chunks and the blank one. */
async function interrupt(page: Page, visit: (path: string) => Promise<void>, project: string) {
  await visit(`/projects/${project}/images-new`)
  const chunks = await holdChunks(page, 3)
  await begin(page, 'alpine')
  await expect(page.getByText('2.00 MiB / 4.00 MiB')).toBeVisible()
  await page.goto(new URL(`/projects/${project}/images`, page.url()).href)
  await screenIsThere(page)
  chunks.release()
  return chunks
}

test('an upload goes on after a reload when the file is chosen again, and takes no other file', async ({
  page,
  visit,
  requests,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  const chunks = await interrupt(page, visit, project)
  expect(chunks.written).toHaveLength(3)

  await tray(page).click()
  const entry = uploadOf(page, project)
  await expect(entry).toContainText('Interrupted: 2 MiB of 4 MiB of alpine.raw sent')
  await inspectScreen(page, 'tray-upload')
  const select = async (file: ReturnType<typeof chosen>) => {
    const chooser = page.waitForEvent('filechooser')
    await entry.getByRole('button', { name: 'Continue uploading alpine.raw' }).click()
    await (await chooser).setFiles(file)
  }
  await select(chosen(content().subarray(CHUNK)))
  await expect(entry.getByRole('alert')).toContainText('alpine.raw had 4 MiB')
  const other = content()
  const [sent] = chunks.written
  other[(sent?.offset ?? 0) + 5] = 0
  await select(chosen(other))
  await expect(entry.getByRole('alert')).toContainText('not the file whose upload was interrupted')
  // Something else where the blank chunk was, which was not sent.
  await select(chosen(content().fill(9, 2 * CHUNK, 3 * CHUNK)))
  await expect(entry.getByRole('alert')).toContainText('not the file whose upload was interrupted')
  expect(chunks.written).toHaveLength(3)

  await select(chosen(content(), 'renamed.raw'))
  await expect(page.getByTestId('Toasts')).toContainText('Image alpine created')
  await expect(entry).toBeHidden()
  // Each chunk was sent once.
  const offsets = chunks.written.map(({ offset }) => offset / CHUNK)
  expect(offsets.toSorted((one, next) => one - next)).toEqual([0, 1, 3, 4, 5, 6, 7])
  expect(written(chunks.written).equals(content())).toBe(true)
  const image = await requests.get(`/v1/images/alpine?project=${project}`)
  expect(image.status()).toBe(200)
  expect(await image.json()).toMatchObject({ os: 'Alpine', version: '3.22', block_size: 512 })
  for (const list of ['disks', 'snapshots']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const left = await requests.get(`/v1/${list}?project=${project}`)
    // oxlint-disable-next-line no-await-in-loop
    expect(await left.json()).toMatchObject({ items: [] })
  }
})

test('an interrupted upload is offered by the form and in another tab, and is canceled', async ({
  page,
  context,
  visit,
  requests,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await interrupt(page, visit, project)
  const second = await context.newPage()
  await second.goto(new URL(`/projects/${project}/images-new`, page.url()).href)
  await screenIsThere(second)
  const offered = second.getByRole('region', { name: 'Uploads to this project' })
  await expect(offered).toContainText('Interrupted: 2 MiB of 4 MiB of alpine.raw sent')
  await second.close()

  await tray(page).click()
  const disks = async () =>
    (await (await requests.get(`/v1/disks?project=${project}`)).json()) as { items: unknown[] }
  expect((await disks()).items).toHaveLength(1)
  page.once('dialog', (dialog) => dialog.accept())
  await uploadOf(page, project).getByRole('button', { name: 'Cancel upload' }).click()
  await expect(uploadOf(page, project)).toBeHidden()
  expect((await disks()).items).toEqual([])
})

test('another tab shows an upload that goes on, and cancels it', async ({
  page,
  context,
  visit,
  requests,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/images-new`)
  await holdChunks(page, 3)
  await begin(page, 'alpine')
  await expect(page.getByText('2.00 MiB / 4.00 MiB')).toBeVisible()

  const second = await context.newPage()
  await second.goto(new URL(`/projects/${project}/images`, page.url()).href)
  await screenIsThere(second)
  await second.getByRole('button', { name: 'Background work, 1 in progress' }).click()
  await expect(uploadOf(second, project)).toContainText('alpine.raw: 2 MiB of 4 MiB sent')
  second.once('dialog', (dialog) => dialog.accept())
  await uploadOf(second, project).getByRole('button', { name: 'Cancel upload' }).click()
  await expect(uploadOf(second, project)).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'Image upload progress' })).toBeHidden()
  await expect(async () => {
    const left = await requests.get(`/v1/disks?project=${project}`)
    expect(await left.json()).toMatchObject({ items: [] })
  }).toPass()
  await second.close()
})
