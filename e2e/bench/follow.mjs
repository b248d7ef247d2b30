/** How long an open list takes to show what somebody else has changed. */

/** Changes in each turn, and turns of each page. */
const changes = 10
const turns = 4
/** Milliseconds between two changes, so that each is the only one of its moment. */
const pause = 400

/** Milliseconds of the clock that this process and the pages of the browser share. */
const now = () => performance.timeOrigin + performance.now()

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Times a change: from its answer until the list has its text, in milliseconds. */
async function timeToShow(page, text, change) {
  const shown = page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        const look = () => {
          if (!document.querySelector('table').textContent.includes(wanted)) return
          observer.disconnect()
          resolve(performance.timeOrigin + performance.now())
        }
        const observer = new MutationObserver(look)
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
        look()
      }),
    text,
  )
  // The page has begun to look by the time that it answers this.
  await page.evaluate(() => undefined)
  await change()
  const answered = now()
  return Math.max(0, (await shown) - answered)
}

/**
 * Times changes of one row while a list is open, in turns with each page, so that all see the same machine.
 *
 * @param pages functions that open a list, wait until it follows changes, and return its page; by the name of the page.
 * @param change makes the row show another number of vCPUs.
 * @returns milliseconds of each change, by the name of the page.
 */
export async function timeChanges(pages, change) {
  const figures = Object.fromEntries(Object.keys(pages).map((name) => [name, []]))
  let cpus = 2
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [name, open] of Object.entries(pages)) {
      const page = await open()
      for (let number = 0; number < changes; number += 1) {
        cpus = cpus < 60 ? cpus + 1 : 3
        const shown = cpus
        await wait(pause)
        figures[name].push(await timeToShow(page, `${shown} vCPUs`, () => change(shown)))
      }
      await page.context().close()
    }
  }
  return figures
}
