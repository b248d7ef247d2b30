import type { Page } from '@playwright/test'

import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// What is measured, on the screens that show it. Samples are written every few seconds, so these tests ask until they are there.

/** Every chart has been answered, whether with values or without. */
async function chartsAreThere(page: Page, count: number) {
  await expect(
    page.getByRole('button', { name: / actions$/ }).filter({ visible: true }),
  ).not.toHaveCount(0)
  await expect(page.getByRole('status', { name: 'Chart loading' })).toHaveCount(0)
  await expect(page.getByText('Something went wrong')).toHaveCount(0)
  const shown = page.getByRole('slider').or(page.getByRole('heading', { name: 'No data' }))
  await expect(shown).toHaveCount(count)
}

test('metrics of an instance: CPU, disk, network', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db', { start: true, networked: true })
  await visit(`/projects/${project}/instances/db/storage`)
  await page.getByRole('tab', { name: 'Metrics' }).click()
  await expect(page).toHaveURL(/\/metrics\/cpu$/)
  await chartsAreThere(page, 1)
  await inspectScreen(page, 'instance-metrics-cpu')

  await page.getByRole('button', { name: 'Choose state' }).click()
  await page.getByRole('option', { name: 'All states' }).click()
  await chartsAreThere(page, 4)
  await page.getByRole('button', { name: 'CPU Utilization: Idle actions' }).click()
  await page.getByRole('menuitem', { name: 'View OxQL query' }).click()
  const dialog = page.getByRole('dialog', { name: 'OxQL query' })
  await expect(dialog.getByRole('region', { name: 'Query' })).toContainText('state == "idle"')
  await inspectScreen(page, 'instance-metrics-query')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Choose a time range preset' }).click()
  await page.getByRole('option', { name: 'Last 3 hours' }).click()
  await page.getByRole('tab', { name: 'CPU' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page).toHaveURL(/\/metrics\/disk\?range=last3Hours$/)
  await expect(page.getByRole('button', { name: 'Choose a time range preset' })).toHaveText(
    'Last 3 hours',
  )
  await chartsAreThere(page, 5)
  await inspectScreen(page, 'instance-metrics-disk')
  await page.getByRole('tab', { name: 'Network', exact: true }).click()
  await chartsAreThere(page, 5)
})

test('metrics of an instance without disks and interfaces', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'bare')
  await visit(`/projects/${project}/instances/bare/metrics/network`)
  await expect(page.getByText('No network metrics available')).toBeVisible()
  await inspectScreen(page, 'instance-metrics-network-none')
})

test('what a query finds: a machine that runs is measured', async ({
  page,
  visit,
  target,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db', { start: true })
  await visit(`/projects/${project}/metrics`)
  await expect(page.getByText('Run a query')).toBeVisible()
  await inspectScreen(page, 'metrics-empty')

  // From the keyboard alone: two completions, and the key that runs it.
  const editor = page.getByRole('textbox', { name: 'Query' })
  await editor.focus()
  await page.keyboard.type('get vcpu')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await page.keyboard.type(' | filter stat')
  await page.keyboard.press('Tab')
  await page.keyboard.type(' == "run" && timestamp > @now() - 1h')
  await expect(editor).toHaveValue(
    'get virtual_machine:vcpu_usage | filter state == "run" && timestamp > @now() - 1h',
  )
  const result = page.getByRole('region', { name: 'Result' })
  await expect(async () => {
    await page.keyboard.press('Control+Enter')
    await expect(result.getByRole('status')).toHaveText(
      /^1 table, 2 series, ([2-9]|\d\d+) points$/,
      {
        timeout: 2000,
      },
    )
  }).toPass()
  await expect(page).toHaveURL(/query=get\+virtual_machine/)
  await expect(result.getByRole('slider')).toBeVisible()
  await inspectScreen(page, 'metrics-result')

  const link = page.url().replace(target.url, '')
  await editor.fill('get virtual_machine:vcpu_usage | filtre')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('alert')).toContainText(/Error in line 1, column \d+/)
  await inspectScreen(page, 'metrics-error')
  await visit('/projects')
  await visit(link)
  await expect(editor).toHaveValue(/timestamp > @now\(\) - 1h$/)
  await expect(result.getByRole('slider')).toBeVisible()
})

test('an operator queries what the server measures of itself', async ({ page, visit }) => {
  await expect(async () => {
    await visit('/system/metrics')
    const latency = page.getByRole('button', { name: /http_service:request_latency_histogram/ })
    await expect(latency).toBeVisible({ timeout: 2000 })
    await latency.click()
  }).toPass()
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result.getByRole('heading', { name: /request_latency_histogram/ })).toBeVisible()
  await expect(result.getByRole('slider')).toBeVisible()
  await inspectScreen(page, 'system-metrics')
})

test('how provisioning changes, for a silo and for the system', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db', { start: true })
  await visit('/utilization')
  await page.getByRole('button', { name: 'Choose a project' }).click()
  await page.getByRole('option', { name: project }).click()
  // The first refresh that finds the start of the instance shows its two vCPUs.
  const cpu = page.getByRole('slider', { name: 'CPU, over time' })
  await expect(cpu).toHaveAttribute('aria-valuetext', /: 2$/, { timeout: 60_000 })
  await page.getByRole('button', { name: 'CPU actions' }).click()
  await page.getByRole('menuitem', { name: 'View as table' }).click()
  await expect(page.getByRole('table', { name: 'CPU' }).getByRole('row').nth(1)).toContainText('2')
  await inspectScreen(page, 'utilization-history')

  await visit('/system/utilization')
  await page.getByRole('tab', { name: 'Metrics' }).click()
  await expect(page).toHaveURL(/tab=metrics/)
  await chartsAreThere(page, 3)
  await inspectScreen(page, 'system-utilization-history')
})
