/** Visits of a page with an empty cache. */

/** A task that keeps the page's thread longer than this blocks it, for the part beyond. */
const taskBudget = 50

/** Opens a path and waits until its screen is there and nothing is under way but the stream of what changes, which stays open. */
export async function openAndRest(page, path) {
  const underWay = new Set()
  page.on('request', (request) => {
    if (!request.url().includes('/experimental/v1/events')) underWay.add(request)
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  const oneIsOver = () =>
    new Promise((resolve) => {
      page.once('requestfinished', resolve)
      page.once('requestfailed', resolve)
    })
  await page.goto(path)
  // By its element: looking for roles all the time is much work of the page's own thread.
  await page.waitForFunction(() => {
    const heading = document.querySelector('h1')
    return heading && heading.textContent !== 'Loading'
  })
  do {
    while (underWay.size > 0) await oneIsOver()
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => resolve())))
  } while (underWay.size > 0)
}

/**
 * Visits a screen with an empty cache and waits until it is at rest.
 *
 * @param slowdown how many times as slow as it is the page's thread becomes.
 * @returns the largest contentful paint and the total blocking time, in milliseconds.
 */
export async function visit(browser, storageState, url, slowdown) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(() => {
    window.paint = 0
    window.tasks = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.paint = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.tasks.push(entry.duration)
    }).observe({ type: 'longtask', buffered: true })
  })
  await openAndRest(page, url)
  // The browser reports the paint in a task of its own, which may come later.
  await page.waitForFunction(() => window.paint > 0, undefined, { timeout: 10_000 })
  const measured = await page.evaluate(() => ({ paint: window.paint, tasks: window.tasks }))
  await context.close()
  const blocking = measured.tasks.reduce((sum, task) => sum + Math.max(0, task - taskBudget), 0)
  return { paint: measured.paint, blocking }
}
