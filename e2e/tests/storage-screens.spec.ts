import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// The screens of snapshots, images and groups: accessible in both themes, on a desk and on a phone; an image that is really uploaded.

const MIB = 1024 ** 2

test('snapshots: empty, full, create, an image from one', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/snapshots`)
  await expect(page.getByText('No snapshots')).toBeVisible()
  await inspectScreen(page, 'snapshots-empty')
  await resources.disk(project, 'data')
  await visit(`/projects/${project}/snapshots-new`)
  await expect(page.getByRole('dialog', { name: 'Create snapshot' })).toBeVisible()
  await inspectScreen(page, 'snapshots-new')
  await page.getByRole('textbox', { name: /^Name/ }).fill('before-upgrade')
  await page.getByRole('combobox', { name: /^Disk/ }).fill('data')
  await page.getByRole('option', { name: /^data/ }).click()
  await page.getByRole('button', { name: 'Create snapshot' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Snapshot before-upgrade created')
  await expect(page.getByRole('row', { name: /before-upgrade/ })).toContainText('ready')
  await visit(`/projects/${project}/snapshots`)
  await inspectScreen(page, 'snapshots')
  await visit(`/projects/${project}/snapshots/before-upgrade/images-new`)
  await expect(page.getByRole('dialog', { name: 'Create image from snapshot' })).toBeVisible()
  await inspectScreen(page, 'image-from-snapshot')
})

test('images of a project: empty, full, one', async ({ page, visit, resources, uniqueName }) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/images`)
  await expect(page.getByText('No images')).toBeVisible()
  await inspectScreen(page, 'project-images-empty')
  await resources.disk(project, 'data')
  await resources.snapshot(project, 'data', 'golden')
  await resources.image(project, 'golden', 'alpine')
  await visit(`/projects/${project}/images`)
  await expect(page.getByRole('link', { name: 'alpine' })).toBeVisible()
  await inspectScreen(page, 'project-images')
  await visit(`/projects/${project}/images/alpine/edit`)
  await expect(page.getByRole('dialog', { name: 'Project image' })).toBeVisible()
  await inspectScreen(page, 'project-image')
})

test('a disk is made from an image', async ({ page, visit, resources, uniqueName }) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.disk(project, 'data')
  await resources.snapshot(project, 'data', 'golden')
  await resources.image(project, 'golden', 'alpine')
  await visit(`/projects/${project}/disks-new`)
  await page.getByText('Image', { exact: true }).click()
  await page.getByRole('button', { name: /^Source image/ }).click()
  await page.getByRole('option', { name: /^alpine/ }).click()
  await inspectScreen(page, 'disks-new-from-image')
  await page.getByRole('textbox', { name: /^Name/ }).fill('copy')
  await page.getByRole('button', { name: 'Create disk' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Disk copy created')
})

test('an image is uploaded, promoted and found in the silo', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  const name = uniqueName('image')
  await resources.project(project)
  await visit(`/projects/${project}/images-new`)
  await expect(page.getByRole('dialog', { name: 'Upload image' })).toBeVisible()
  await inspectScreen(page, 'images-new')
  await page.getByRole('textbox', { name: /^Name/ }).fill(name)
  await page.getByRole('textbox', { name: /^OS/ }).fill('Alpine')
  await page.getByRole('textbox', { name: /^Version/ }).fill('3.22')
  const content = Buffer.alloc(3 * MIB + 700)
  content.write('EFI PART', 512)
  content.fill(7, 2 * MIB)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'alpine.raw', mimeType: 'application/octet-stream', buffer: content })
  await page.getByRole('button', { name: 'Upload image' }).click()
  const done = page.getByTestId('upload-step: Image uploaded successfully')
  await expect(done).toHaveAttribute('data-status', 'complete', { timeout: 30_000 })
  await inspectScreen(page, 'image-uploaded')
  const progress = page.getByRole('dialog', { name: 'Image upload progress' })
  await progress.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('1 GiB')
  for (const list of ['snapshots', 'disks']) {
    await visit(`/projects/${project}/${list}`)
    await expect(page.getByText(`No ${list}`)).toBeVisible()
  }
  await visit(`/projects/${project}/images`)
  await row.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Promote' }).click()
  await page.getByRole('button', { name: 'Promote' }).click()
  await page.getByRole('link', { name: 'View silo images' }).click()
  await expect(page).toHaveURL(/\/images$/)
  await expect(page.getByRole('link', { name })).toBeVisible()
  // Other tests share the silo, and one of them wants it without images.
  await row.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByTestId('Toasts')).toContainText(`Image ${name} deleted`)
})

test('anti-affinity groups: empty, full, create', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/affinity`)
  await expect(page.getByText('No anti-affinity groups')).toBeVisible()
  await inspectScreen(page, 'affinity-empty')
  await resources.instance(project, 'db')
  await resources.antiAffinityGroup(project, 'database', 'db')
  await visit(`/projects/${project}/affinity`)
  await expect(page.getByRole('link', { name: 'database' })).toBeVisible()
  await inspectScreen(page, 'affinity')
  await visit(`/projects/${project}/affinity-new`)
  await expect(page.getByRole('dialog', { name: 'Add anti-affinity group' })).toBeVisible()
  await inspectScreen(page, 'affinity-new')
})

test('an anti-affinity group: members, edit', async ({ page, visit, resources, uniqueName }) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  await resources.instance(project, 'web')
  await resources.antiAffinityGroup(project, 'database', 'db')
  await visit(`/projects/${project}/affinity/database`)
  await expect(page.getByRole('link', { name: 'db' })).toBeVisible()
  await inspectScreen(page, 'affinity-group')
  await page.getByRole('button', { name: 'Add instance' }).click()
  await page.getByRole('combobox', { name: /^Instance/ }).fill('web')
  await page.getByRole('option', { name: /^web/ }).click()
  await page.getByRole('button', { name: 'Add to group' }).click()
  await expect(page.getByTestId('Toasts')).toContainText(
    'Instance web added to anti-affinity group database',
  )
  await visit(`/projects/${project}/affinity/database/edit`)
  await expect(page.getByRole('dialog', { name: 'Edit anti-affinity group' })).toBeVisible()
  await inspectScreen(page, 'affinity-edit')
})
