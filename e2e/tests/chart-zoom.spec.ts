import { expect, test } from '../fixtures/demo'
import { only } from '../fixtures/targets'

// Charts show what was selected in them, by pointer and by keyboard.

test(
  'a part of a chart is selected and shown, and Back returns',
  only('native', 'the picture is the same code in both targets'),
  async ({ page, demo }) => {
    await demo.visit('/projects/mock-project/instances/db1/metrics/cpu')
    const chart = page.getByRole('slider', { name: 'CPU Utilization: Running, over time' })
    const preset = page.getByRole('button', { name: 'Choose a time range preset' })
    await expect(chart).toBeVisible()
    await expect(preset).toHaveText('Last hour')
    const original = page.url()

    await test.step('by dragging', async () => {
      const box = await page.locator('.u-over').boundingBox()
      if (!box) throw new Error('there is no picture')
      const y = box.y + box.height / 2
      await page.mouse.move(box.x + box.width * 0.25, y)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.5, y)
      await page.mouse.move(box.x + box.width * 0.75, y)
      await page.mouse.up()
      await expect(page).not.toHaveURL(original)
      await expect(preset).toHaveText('Custom')
      const search = new URL(page.url()).searchParams
      const length = Date.parse(search.get('end') ?? '') - Date.parse(search.get('start') ?? '')
      // Half of an hour.
      expect(length / 60_000).toBeGreaterThan(29)
      expect(length / 60_000).toBeLessThan(31)
      await page.goBack()
      await expect(page).toHaveURL(original)
      await expect(preset).toHaveText('Last hour')
    })

    await test.step('by keyboard', async () => {
      await chart.focus()
      await page.keyboard.press('End')
      for (let step = 0; step < 5; step += 1) {
        // oxlint-disable-next-line no-await-in-loop -- keys come one after the other
        await page.keyboard.press('Shift+ArrowLeft')
      }
      await expect(chart).toHaveAttribute(
        'aria-valuetext',
        /^Selected .* Press Enter to zoom in\.$/,
      )
      await page.keyboard.press('Enter')
      await expect(page).not.toHaveURL(original)
      await expect(chart).toBeFocused()
      const zoomed = page.url()
      await page.keyboard.press('-')
      await expect(page).not.toHaveURL(zoomed)
      await expect(chart).toBeFocused()
      const wider = page.url()
      await page.getByRole('button', { name: 'Zoom out' }).click()
      await expect(page).not.toHaveURL(wider)
      await page.goBack()
      await expect(page).toHaveURL(wider)
    })
  },
)
