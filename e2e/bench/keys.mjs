/** How long a page takes from a key to what it brings, and how evenly it scrolls. */

/**
 * Milliseconds from a press of a key until the table's first row has another text and is painted.
 *
 * @param press presses the key.
 * @param expected what the row then begins with; any other text than now unless given.
 */
export async function timeKey(page, press, expected) {
  const painted = page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        // oxlint-disable-next-line unicorn/consistent-function-scoping -- only this function is in the page
        const first = () => document.querySelector('tbody tr:not([aria-hidden]) a')?.textContent
        const before = first()
        let pressedAt
        document.addEventListener('keydown', (event) => (pressedAt = event.timeStamp), {
          capture: true,
          once: true,
        })
        const isThere = () => (wanted === undefined ? first() !== before : first() === wanted)
        const observer = new MutationObserver(() => {
          if (pressedAt === undefined || !first() || !isThere()) return
          observer.disconnect()
          // After the frame that the rows are painted with.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressedAt)))
        })
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
    expected,
  )
  // The page has begun to look by the time that it answers this.
  await page.evaluate(() => undefined)
  await press()
  return painted
}

/** Waits until the text of the table's first row begins so. */
export const firstRowSays = (page, beginning) =>
  page.waitForFunction(
    (wanted) =>
      document.querySelector('tbody tr:not([aria-hidden]) a')?.textContent.startsWith(wanted),
    beginning,
  )

/** Milliseconds of each frame while a page scrolls to its end and back, as fast as a wheel is turned. */
export async function timeFrames(page) {
  const devtools = await page.context().newCDPSession(page)
  await page.evaluate(() => {
    window.frames = []
    let last = performance.now()
    const next = (time) => {
      window.frames.push(time - last)
      last = time
      window.frame = requestAnimationFrame(next)
    }
    window.frame = requestAnimationFrame(next)
  })
  for (const distance of [-20_000, 20_000]) {
    await devtools.send('Input.synthesizeScrollGesture', {
      x: 700,
      y: 450,
      yDistance: distance,
      speed: 8000,
      gestureSourceType: 'mouse',
    })
  }
  const frames = await page.evaluate(() => {
    cancelAnimationFrame(window.frame)
    return window.frames
  })
  // The first one began before there was a frame.
  return frames.slice(1)
}
