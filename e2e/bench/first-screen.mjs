/** How long it takes until the list of projects can be used. */

/** So many visits, each with an empty cache. */
const visits = 9

/**
 * Milliseconds of each visit from the beginning of the navigation until a project's link is on the screen.
 *
 * @param name of a project that is there from the beginning.
 */
export async function timeFirstScreen(browser, url, name, storageState) {
  const figures = []
  for (let visit = 0; visit < visits; visit += 1) {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      storageState,
    })
    const page = await context.newPage()
    await page.addInitScript((text) => {
      const look = () => {
        const links = [...document.querySelectorAll('table a')]
        if (!links.some((link) => link.textContent === text)) return
        observer.disconnect()
        // Once more than the frame that it is painted with.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            window.usable = performance.now()
          }),
        )
      }
      const observer = new MutationObserver(look)
      observer.observe(document, { subtree: true, childList: true, characterData: true })
    }, name)
    await page.goto(url)
    const usable = await page.waitForFunction(() => window.usable, undefined, { timeout: 30_000 })
    figures.push(await usable.jsonValue())
    await context.close()
  }
  return figures
}
