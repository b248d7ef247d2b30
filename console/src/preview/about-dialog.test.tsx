import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'

/** The dialog as a build makes it that was told where the source is kept, or was not. */
async function open(source?: string) {
  vi.resetModules()
  vi.stubEnv('VITE_SOURCE_URL', source)
  const { AboutDialog } = await import('./about-dialog')
  render(<AboutDialog onDismiss={vi.fn()} onFollow={vi.fn()} />)
  return screen.getAllByRole('link').map((link) => link.getAttribute('href'))
}

afterEach(() => vi.unstubAllEnvs())

it('links what was told', async () => {
  expect(await open('https://git.test/croft/')).toEqual([
    'https://git.test/croft',
    'https://webassembly.org',
    'https://git.test/croft/console',
    'https://github.com/hey-api/openapi-ts',
    'https://git.test/croft/crates',
  ])
})

it('links nothing that leads nowhere', async () => {
  expect(await open()).toEqual(['https://webassembly.org', 'https://github.com/hey-api/openapi-ts'])
  const [consoleItem, , coreItem] = screen.getAllByRole('listitem')
  expect(consoleItem?.textContent).toMatch(/^Web console.*console\/ in Croft's source$/)
  expect(coreItem?.textContent).toMatch(/^Control plane and API.*crates\/ in Croft's source$/)
})
