import { defineConfig } from '@playwright/test'

import { chromiumFlags } from './chromium-flags.mjs'
import type { TargetKind } from './fixtures/targets'
import { ONLY, filesNotFor } from './fixtures/targets'

/** How many tests of a target run at once. */
const WORKERS: Record<TargetKind, number> = { native: 3, preview: 3 }

/** The tests of one target: all but those that the other one alone can run. */
const projectOf = (kind: TargetKind) => ({
  name: kind,
  workers: WORKERS[kind],
  use: { targetKind: kind },
  testIgnore: filesNotFor(kind),
  grepInvert: new RegExp(ONLY[kind === 'native' ? 'preview' : 'native']),
})

export default defineConfig<object, { targetKind: TargetKind }>({
  testDir: 'tests',
  // Without a built preview, which `cargo xtask test` names, there is only the one target; the run says so.
  projects: process.env.CROFT_PREVIEW_SITE
    ? [projectOf('native'), projectOf('preview')]
    : [projectOf('native')],
  outputDir: 'test-results/runs',
  globalSetup: './fixtures/global-setup.ts',
  // Each worker has a server and a database of its own, and each test names its own things.
  fullyParallel: true,
  workers: Math.max(...Object.values(WORKERS)),
  // A test that needs a second try is broken.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Only against hanging: machines may be slow and shared.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'test-results/report.json' }],
  ],
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: process.env.CROFT_CHROMIUM ?? '/usr/bin/chromium',
      args: chromiumFlags,
    },
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'dark',
    // Nothing may depend on an animation that has run to its end.
    contextOptions: { reducedMotion: 'reduce' },
    // What was called, asked for and logged. Pictures of the document at every step would make tests half as long again; `--trace on`
    // takes them.
    trace: { mode: 'retain-on-failure', snapshots: false, screenshots: false, sources: false },
    screenshot: 'only-on-failure',
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
  },
})
