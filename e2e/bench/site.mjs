/**
 * Lays out a folder for `croft serve --console-dir`: the console as it was built, and below `/assets/bare/` the page that it is compared
 * with. Both are compressed in advance, as in the server's program.
 *
 * usage: node bench/site.mjs FOLDER
 */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

/** Fonts and pictures are compressed already; source maps are not fetched. */
const compressible = /\.(css|html|js|svg|txt)$/

const [folder] = process.argv.slice(2)
rmSync(folder, { recursive: true, force: true })
cpSync(at('../../console/dist'), folder, { recursive: true })
const config = at('bare/vite.config.mjs')
const output = join(folder, 'assets/bare')
execFileSync('npx', ['vite', 'build', '--logLevel=warn', '--config', config, '--outDir', output], {
  // The Vite of the console, and its React.
  cwd: at('../../console'),
  stdio: ['ignore', 'inherit', 'inherit'],
})
for (const name of readdirSync(folder, { recursive: true })) {
  if (!compressible.test(name)) continue
  const content = readFileSync(join(folder, name))
  writeFileSync(join(folder, `${name}.gz`), gzipSync(content))
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content))
}
