import type { Page } from '@playwright/test'

import { expectNoViolations, inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

test.beforeEach(async ({ page, gallery }) => {
  await page.goto(gallery)
  await expect(page.getByRole('heading', { level: 1, name: 'Gallery' })).toBeVisible()
})

test('every primitive is accessible in both themes, on a desk and on a phone', async ({ page }) => {
  test.slow()
  await inspectScreen(page, 'gallery')
})

/** What floats above the page, by the button that opens it. */
const overlays: { button: string; opened: (page: Page) => ReturnType<Page['getByRole']> }[] = [
  { button: 'Open medium', opened: (page) => page.getByRole('dialog') },
  { button: 'Delete disk', opened: (page) => page.getByRole('alertdialog') },
  { button: 'Open with errors', opened: (page) => page.getByRole('dialog') },
]

for (const { button, opened } of overlays) {
  test(`what "${button}" opens is accessible, holds the focus and closes on Escape`, async ({
    page,
  }) => {
    const opener = page.getByRole('button', { name: button, exact: true })
    await opener.click()
    await expect(opened(page)).toBeVisible()
    await expectNoViolations(page)
    expect(await opened(page).evaluate((overlay) => overlay.contains(document.activeElement))).toBe(
      true,
    )
    await page.keyboard.press('Escape')
    await expect(opened(page)).toBeHidden()
    await expect(opener).toBeFocused()
  })
}

test('a menu opens and is walked through with the keyboard alone', async ({ page }) => {
  const trigger = page.getByRole('button', { name: 'Row actions' }).first()
  await trigger.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await expectNoViolations(page)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem').nth(1)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(trigger).toBeFocused()
})

test('a toast is announced and can be dismissed', async ({ page }) => {
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  const toast = page.getByText('Stays until it is dismissed.')
  await expect(toast).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Dismiss notification' }).click()
  await expect(toast).toBeHidden()
})

test('a chart is read moment by moment with the keyboard alone, and as a table', async ({
  page,
}) => {
  const chart = page.getByRole('slider', { name: 'CPU utilization, over time' })
  await chart.focus()
  await page.keyboard.press('Home')
  await expect(chart).toHaveAttribute('aria-valuetext', 'Feb 28, 2026, 11:00:00 UTC: 40.00 %')
  await page.keyboard.press('ArrowRight')
  await expect(chart).toHaveAttribute('aria-valuetext', /11:01:00 UTC: [\d.]+ %$/)
  await expect(page.getByText('Feb 28, 2026, 11:01:00 UTC')).toBeVisible()
  await page.getByRole('button', { name: 'CPU utilization actions' }).click()
  await page.getByRole('menuitem', { name: 'View as table' }).click()
  const table = page.getByRole('table', { name: 'CPU utilization' })
  await expect(table.getByRole('row', { name: /11:00:00 UTC 40\.00 %/ })).toBeVisible()
  await expectNoViolations(page)
})
