import { expectNoViolations } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// A time zone with an offset, so that a time in UTC cannot pass for a local one.
test.use({ timezoneId: 'Asia/Kolkata' })

test('every time is in 24-hour time and says its zone and UTC', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  await visit(`/projects/${project}/instances`)

  const created = page
    .getByRole('row', { name: /db/ })
    .getByRole('img', { name: /\d{4} \d\d:\d\d$/ })
  await created.hover()
  const tip = page.getByRole('tooltip')
  await expect(tip).toContainText(/\d\d:\d\d:\d\d GMT\+5:30/)
  await expect(tip).toContainText(/\d\d:\d\d:\d\d UTC/)
  await expectNoViolations(page)

  await page.mouse.move(0, 0)
  await expect(tip).toBeHidden()

  // By keyboard, too: outside of tables a time is a stop of the tab key.
  const updated = page.getByRole('img', { name: /^Updated \d\d:\d\d$/ })
  await updated.focus()
  await expect(tip).toContainText(/GMT\+5:30.*UTC/)

  // Charts write the same, on the axis and at the crosshair.
  await visit('/system/utilization?tab=metrics')
  const chart = page.getByRole('slider').first()
  await chart.focus()
  await expect(chart).toHaveAttribute('aria-valuetext', /\d\d:\d\d:\d\d GMT\+5:30/)
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText(/\d\d:\d\d:\d\d UTC/)).toBeVisible()
})
