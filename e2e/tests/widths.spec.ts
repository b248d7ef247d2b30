import { expect, test } from '../fixtures/demo'
import { cutTexts } from '../fixtures/layout'
import { expectNoSidewaysScroll } from '../fixtures/screens'
import { only } from '../fixtures/targets'

// Between a phone and a desk, and far beyond a desk. Phones and desks are looked at wherever a screen is inspected.

const project = '/projects/mock-project'

const paths = [
  '/overview',
  '/utilization',
  `${project}/instances`,
  `${project}/instances-new`,
  `${project}/instances/db1/networking`,
  `${project}/instances/db1/metrics/cpu`,
  `${project}/disks`,
  `${project}/snapshots`,
  `${project}/vpcs/mock-vpc/firewall-rules`,
  `${project}/floating-ips`,
  '/system/utilization',
  '/system/inventory/sleds',
  '/system/audit-log',
]

test(
  'nothing is cut off on a tablet and on a very wide screen',
  only('native', 'the layout is that of the same console'),
  async ({ page, demo }) => {
    for (const path of paths) {
      await test.step(path, async () => {
        await demo.visit(path)
        for (const width of [820, 2560]) {
          await page.setViewportSize({ width, height: 900 })
          // What is laid out by code follows the window in the next frame.
          await expect.poll(() => cutTexts(page), { message: `cut at ${width}` }).toEqual([])
          await expectNoSidewaysScroll(page)
        }
      })
    }
  },
)
