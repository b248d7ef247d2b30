import type { Page } from '@playwright/test'

import { confirmQuestion, fact, screenIsThere } from '../fixtures/page'
import { Resources } from '../fixtures/resources'
import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// The pages of disks, snapshots and images: what they came from, what was made from them, and everything that can be done with them.

const lineage = (page: Page) => page.getByRole('region', { name: 'Lineage' })

const chooseAction = async (page: Page, menu: string, action: string) => {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

const byPassword = only('native', 'signs people in with passwords')

test('a disk, its snapshot, a disk from that, an image: each leads to the others', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.disk(project, 'data')
  const snapshot = await resources.usableSnapshot(project, 'golden', 'data')
  await resources.image(project, 'golden', 'base')
  const image = await resources.imageId(project, 'base')
  await resources.bootedInstance(project, 'web', { type: 'snapshot', snapshot_id: snapshot })
  await resources.bootedInstance(project, 'api', { type: 'image', image_id: image })

  await visit(`/projects/${project}/disks`)
  await page.getByRole('link', { name: 'data', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/projects/${project}/disks/data$`))
  await expect(page.getByRole('heading', { level: 1, name: 'data' })).toBeVisible()
  await expect(fact(page, 'state')).toHaveText('detached')
  await expect(lineage(page).getByText('created without an image or a snapshot')).toBeVisible()
  await inspectScreen(page, 'disk')
  await lineage(page).getByRole('link', { name: 'golden' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'golden' })).toBeVisible()
  await expect(lineage(page).getByRole('link', { name: 'data' })).toBeVisible()
  await inspectScreen(page, 'snapshot')
  await lineage(page).getByRole('link', { name: 'web-boot' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'web-boot' })).toBeVisible()
  await expect(fact(page, 'Attached to')).toContainText('web')
  await expect(fact(page, 'Attached to')).toContainText('Boot disk')
  const sources = lineage(page).getByRole('listitem')
  await expect(sources).toHaveText([/^data/, /^golden/])

  await visit(`/projects/${project}/images/base/edit`)
  await page.getByRole('link', { name: 'Open the page of the image' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'base' })).toBeVisible()
  await inspectScreen(page, 'project-image-page')
  await lineage(page).getByRole('link', { name: 'api-boot' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'api-boot' })).toBeVisible()
  await expect(lineage(page).getByRole('link', { name: 'base' })).toBeVisible()
})

test('a source that was deleted is said to be', async ({ page, visit, resources, uniqueName }) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.disk(project, 'data')
  const snapshot = await resources.usableSnapshot(project, 'golden', 'data')
  await resources.bootedInstance(project, 'web', { type: 'snapshot', snapshot_id: snapshot })
  await visit(`/projects/${project}/snapshots/golden`)
  await chooseAction(page, 'Snapshot actions', 'Delete')
  await confirmQuestion(page, 'Confirm delete')
  await expect(page).toHaveURL(new RegExp(`/projects/${project}/snapshots$`))
  await visit(`/projects/${project}/disks/web-boot`)
  await expect(lineage(page).getByText('A snapshot that was deleted')).toBeVisible()
})

test('a disk is attached, detached and deleted on its page', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  await resources.instance(project, 'busy', { start: true })
  await resources.disk(project, 'data')

  await visit(`/projects/${project}/disks`)
  await page.getByRole('row', { name: /data/ }).getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Attach to instance' }).click()
  const dialog = page.getByRole('dialog', { name: 'Attach disk to an instance' })
  await dialog.getByRole('button', { name: /^Instance/ }).click()
  // An instance that runs takes no disks.
  await expect(page.getByRole('option')).toHaveText([/^db/])
  await page.getByRole('option', { name: /^db/ }).click()
  await dialog.getByRole('button', { name: 'Attach disk' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Disk data attached')

  await visit(`/projects/${project}/disks/data`)
  await expect(fact(page, 'state')).toHaveText('attached')
  await expect(fact(page, 'Attached to')).toHaveText('db')
  await chooseAction(page, 'Disk actions', 'Detach')
  await confirmQuestion(page, 'Confirm detach disk')
  await expect(fact(page, 'state')).toHaveText('detached')

  await chooseAction(page, 'Disk actions', 'Snapshot')
  await expect(lineage(page).getByRole('link', { name: /^data-/ })).toBeVisible()
  await chooseAction(page, 'Disk actions', 'Delete')
  await confirmQuestion(page, 'Confirm delete')
  await expect(page).toHaveURL(new RegExp(`/projects/${project}/disks$`))
  await expect(page.getByRole('link', { name: 'data', exact: true })).toBeHidden()
})

test('disks and instances are created from snapshots and images, which are selected already', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  const shared = uniqueName('shared')
  await resources.project(project)
  await resources.disk(project, 'data')
  await resources.usableSnapshot(project, 'golden', 'data')
  await resources.image(project, 'golden', 'base')
  await resources.image(project, 'golden', shared)
  await resources.promoteImage(project, shared)

  await visit(`/projects/${project}/snapshots/golden`)
  await chooseAction(page, 'Snapshot actions', 'Create disk')
  const form = page.getByRole('dialog', { name: 'Create disk' })
  await expect(form.getByRole('button', { name: /Source snapshot/ })).toContainText('golden')
  await form.getByRole('textbox', { name: /^Name/ }).fill('copy')
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Disk copy created')
  await visit(`/projects/${project}/disks/copy`)
  await expect(lineage(page).getByRole('link', { name: 'golden' })).toBeVisible()

  await visit(`/projects/${project}/images/base`)
  await chooseAction(page, 'Image actions', 'Create instance')
  await expect(page.getByRole('tab', { name: 'Project images' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await expect(page.getByRole('combobox', { name: 'Image' })).toHaveValue('base')

  await visit(`/images/${shared}`)
  await inspectScreen(page, 'silo-image-page')
  await chooseAction(page, 'Image actions', 'Create disk')
  const where = page.getByRole('dialog', { name: 'Create a disk from the image' })
  await where.getByRole('combobox', { name: /^Project/ }).fill(project)
  await page.getByRole('option', { name: project }).click()
  await where.getByRole('button', { name: 'Continue' }).click()
  await expect(form.getByRole('button', { name: /Source image/ })).toContainText(shared)

  // Other tests share the silo, and one of them wants it without images.
  await visit(`/images/${shared}`)
  await chooseAction(page, 'Image actions', 'Delete')
  await confirmQuestion(page, 'Confirm delete')
  await expect(page).toHaveURL(/\/images$/)
})

test(
  'a viewer of the project is told which role each action needs',
  byPassword,
  async ({ page, server, signedIn, newcomer, uniqueName }) => {
    const project = uniqueName('project')
    const resources = new Resources(signedIn, server.url)
    await resources.project(project)
    await resources.disk(project, 'data')
    await resources.usableSnapshot(project, 'golden', 'data')
    await resources.image(project, 'golden', 'base')
    await (await newcomer('reader', { project: 'viewer' }, project)).signIn()

    const pages = [
      ['disks/data', 'Disk actions', ['Snapshot', 'Attach to instance', 'Delete']],
      ['snapshots/golden', 'Snapshot actions', ['Create disk', 'Create image', 'Delete']],
      ['images/base', 'Image actions', ['Promote', 'Create disk', 'Create instance', 'Delete']],
    ] as const
    for (const [path, menu, actions] of pages) {
      // oxlint-disable no-await-in-loop -- one page after the other
      await page.goto(`${server.url}/projects/${project}/${path}`)
      await screenIsThere(page)
      await page.getByRole('button', { name: menu }).click()
      for (const action of actions) {
        const item = page.getByRole('menuitem', { name: action, exact: true })
        await expect(item).toHaveAttribute('aria-disabled', 'true')
        await expect(item).toContainText('You need the collaborator role on')
      }
      await page.keyboard.press('Escape')
      // oxlint-enable no-await-in-loop
    }
  },
)
