import { screenIsThere } from '../fixtures/page'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// The page that the server sends names the files and the calls that the screen begins with.

/** The calls and the files of code that a page names. */
function named(page: string) {
  const addresses = (kind: string) =>
    [...page.matchAll(new RegExp(`<link ${kind} crossorigin href="([^"]+)">`, 'g'))].map(
      ([, address = '']) => address.replaceAll('&amp;', '&'),
    )
  return { calls: addresses('rel="preload" as="fetch"'), files: addresses('rel="modulepreload"') }
}

/** An address with its query in order: another order would be another request for the same. */
function inOrder(address: string): string {
  const url = new URL(address)
  url.searchParams.sort()
  return url.pathname + url.search
}

test(
  'a page names what its screen asks for first, and nothing is asked for twice',
  only('native', 'no server makes the page'),
  async ({ page, resources, uniqueName, server }) => {
    const project = uniqueName('web')
    await resources.project(project)
    await resources.instance(project, 'db')
    const inProject = `/projects/${project}`
    for (const path of [
      '/projects',
      '/images',
      `${inProject}/instances`,
      `${inProject}/disks`,
      `${inProject}/snapshots`,
      `${inProject}/images`,
      `${inProject}/vpcs`,
      `${inProject}/floating-ips`,
      `${inProject}/instances/db/storage`,
    ]) {
      await test.step(path, async () => {
        const sent: string[] = []
        const session = await page.context().newCDPSession(page)
        await session.send('Network.enable')
        // Playwright tells of an answer that was preloaded and then used as of two requests.
        session.on('Network.requestWillBeSent', ({ request }) => sent.push(request.url))
        const answer = await page.goto(server.url + path)
        await screenIsThere(page)
        await expect(page.getByTestId('live-state')).toHaveAccessibleName('Live')
        await session.detach()

        const addresses = sent.map(inOrder)
        expect(addresses).toEqual([...new Set(addresses)])
        const { calls, files } = named((await answer?.text()) ?? '')
        expect(calls.length).toBeGreaterThan(3)
        expect(files.length).toBeGreaterThan(5)
        const expected = [...calls, ...files].map((address) => inOrder(server.url + address))
        expect(addresses).toEqual(expect.arrayContaining(expected))
      })
    }
  },
)
