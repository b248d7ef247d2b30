import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { expect, test as base } from '../fixtures/test'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

const test = base.extend<{ folder: string }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures needed from this pattern
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'croft-upload-'))
    await use(folder)
    await rm(folder, { recursive: true })
  },
})

test('a file that cannot be an image is refused before anything is made', async ({
  page,
  visit,
  resources,
  uniqueName,
  folder,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/images-new`)
  await describe(page, 'nothing')
  await choose(page, { name: 'empty.raw', mimeType: '', buffer: Buffer.alloc(0) })
  await page.getByRole('button', { name: 'Upload image' }).click()
  await expect(page.getByText('Image file is empty')).toBeVisible()

  await visit(`/projects/${project}/images-new`)
  await describe(page, 'nothing')
  const huge = join(folder, 'huge.raw')
  const file = await open(huge, 'w')
  await file.truncate(1024 * GIB)
  await file.close()
  await choose(page, huge)
  await page.getByRole('button', { name: 'Upload image' }).click()
  await expect(page.getByText(/at most 1023 GiB/)).toBeVisible()
  await expectNothing(page, visit, project, ['disks', 'snapshots', 'images'])
})

test('a file that looks like no image is remarked on, and becomes one', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/images-new`)
  await describe(page, 'notes')
  await choose(page, { name: 'notes.gz', mimeType: '', buffer: Buffer.from('not an image at all') })
  await expect(page.getByText('This image might not be bootable')).toBeVisible()
  await page.getByRole('button', { name: 'Upload image' }).click()
  const done = page.getByTestId('upload-step: Image uploaded successfully')
  await expect(done).toHaveAttribute('data-status', 'complete')
  await expectNothing(page, visit, project, ['disks', 'snapshots'])
})

test('a file that loses its end while it is uploaded leaves nothing behind', async ({
  page,
  visit,
  resources,
  uniqueName,
  folder,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  const path = join(folder, 'cut.raw')
  await writeFile(path, Buffer.alloc(4 * MIB, 7))
  await visit(`/projects/${project}/images-new`)
  await describe(page, 'cut')
  await choose(page, path)
  await expect(page.getByText('This image might not be bootable')).toBeVisible()
  await writeFile(path, Buffer.alloc(MIB, 7))
  await page.getByRole('button', { name: 'Upload image' }).click()
  const upload = page.getByTestId('upload-step: Upload image file')
  await expect(upload).toHaveAttribute('data-status', 'error')
  await expect(page.getByText('Something went wrong')).toBeVisible()
  const progress = page.getByRole('dialog', { name: 'Image upload progress' })
  await progress.getByRole('button', { name: 'Back' }).click()
  await expect(progress).toBeHidden()
  await expect(page.getByRole('button', { name: 'Upload image' })).toBeEnabled()
  await expectNothing(page, visit, project, ['disks', 'snapshots', 'images'])
})

async function describe(page: Page, name: string) {
  await page.getByRole('textbox', { name: /^Name/ }).fill(name)
  await page.getByRole('textbox', { name: /^OS/ }).fill('none')
  await page.getByRole('textbox', { name: /^Version/ }).fill('1')
}

type Chosen = Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]

async function choose(page: Page, file: Chosen) {
  await page.locator('input[type=file]').setInputFiles(file)
}

async function expectNothing(
  page: Page,
  visit: (path: string) => Promise<void>,
  project: string,
  lists: string[],
) {
  for (const list of lists) {
    await visit(`/projects/${project}/${list}`)
    await expect(page.getByText(`No ${list}`)).toBeVisible()
  }
}
