import { confirmQuestion } from '../fixtures/page'
import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// Everything that a person may read is found from everywhere, by the keyboard alone.

test('resources are found by name, address and ID, and acted on by typing', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  const instance = uniqueName('finder')
  await resources.project(project)
  await resources.instance(project, instance)
  await visit('/settings/profile')

  const input = page.getByRole('combobox', { name: 'Search' })
  const openPalette = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    await expect(input).toBeFocused()
    await page.keyboard.type(text)
  }
  // A part from within the name.
  await openPalette(instance.slice(2))
  const found = page.getByRole('group', { name: 'Instances', exact: true }).getByRole('option')
  await expect(found).toContainText([`${instance}${project}`])
  await inspectScreen(page, 'search-palette')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: instance })).toBeVisible()

  // What was opened is offered again.
  await page.goBack()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(
    page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: instance }),
  ).toBeVisible()
  await page.keyboard.press('Escape')

  await openPalette(`stop ${instance}`)
  const stop = page.getByRole('option', { name: `Stop ${instance}` })
  await expect(stop).toHaveAttribute('aria-disabled', 'true')
  await expect(stop).toContainText('Only running instances can be stopped')
  await page.keyboard.press('Escape')

  await openPalette(`start ${instance}`)
  await expect(page.getByRole('option', { name: `Start ${instance}` })).toBeVisible()
  await page.keyboard.press('Enter')
  await confirmQuestion(page, 'Confirm start instance')
  await expect(page.getByText(`Starting instance ${instance}`)).toBeVisible()

  await openPalette(`new disk in ${project}`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Create disk' })).toBeVisible()
})

test('the search has a screen of its own', async ({ page, visit, resources, uniqueName }) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit('/search')
  await expect(page.getByText('Type what to search for')).toBeVisible()
  await inspectScreen(page, 'search-empty')
  await page.getByRole('searchbox', { name: 'Search all resources' }).fill(project)
  const row = page.getByRole('row', { name: project })
  await expect(row).toContainText('Projects')
  await expect(page).toHaveURL(new RegExp(`[?&]q=${project}`))
  await inspectScreen(page, 'search')
  await row.getByRole('link', { name: project }).click()
  await expect(page.getByText('No instances')).toBeVisible()
  // What looks like a number is searched for as well.
  await visit('/search?q=4242424242')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await visit('/search?q=nothing-has-this-name')
  await expect(page.getByText('Nothing found')).toBeVisible()
})

test(
  'the beginning of an ID leads to an instance',
  only('native', 'asks the server for the ID'),
  async ({ page, visit, resources, uniqueName }) => {
    const project = uniqueName('project')
    await resources.project(project)
    await resources.instance(project, 'seeker')
    await visit(`/projects/${project}/instances`)
    const id = await page.evaluate(async (of) => {
      const answer = await fetch(`/v1/instances/seeker?project=${of}`)
      return ((await answer.json()) as { id: string }).id
    }, project)
    await visit(`/lookup/i/${id.slice(0, 13)}`)
    await expect(page.getByRole('heading', { level: 1, name: 'seeker' })).toBeVisible()
  },
)
