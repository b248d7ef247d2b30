// Writes src/route-tree.gen.ts, from which the types of routes come. The router's plugin does so as soon as Vite has read its
// configuration, so that the options of the plugin stand there alone.
import { fileURLToPath } from 'node:url'

import { resolveConfig } from 'vite'

await resolveConfig({ root: fileURLToPath(new URL('..', import.meta.url)) }, 'build')
