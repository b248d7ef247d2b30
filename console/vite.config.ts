import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import optimizeLocales from '@react-aria/optimize-locales-plugin'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

import { preloadsOf } from './scripts/screens.mjs'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Where the development server finds the API; any running Croft server will do. */
const apiOrigin = process.env.CROFT_API ?? 'http://127.0.0.1:12220'

/**
 * The login screens are an HTML entry of their own. The Croft server knows which paths belong to it;
 * the development server has to be told.
 */
function loginEntry(): Plugin {
  const loginPath = /^\/login(\/[^/?]+\/(local|saml\/[^/?]+))?\/?(\?.*)?$/
  return {
    name: 'croft:login-entry',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const isPage = request.method === 'GET' && loginPath.test(request.url ?? '')
        if (request.url && isPage && existsSync(at('login.html'))) {
          request.url = `/login.html${request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''}`
        }
        next()
      })
    },
  }
}

/** What the page of the preview may do, as `xtask/src/preview/host.rs` sends it. */
const previewPolicy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'unsafe-inline' 'self'; frame-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'"

/**
 * The technical preview: the same page with an entry of its own, which answers all calls with the core in a worker. The core is a package
 * in the folder that CROFT_PREVIEW_PACKAGE names; `cargo xtask preview` builds it.
 */
function preview(folder: string | undefined): Plugin {
  if (!folder) {
    throw new Error(
      'CROFT_PREVIEW_PACKAGE must name the folder of the core: run `cargo xtask preview`.',
    )
  }
  const files: Record<string, string> = {
    'croft-preview': 'croft_preview.js',
    'croft-preview/module.wasm?url': 'croft_preview_bg.wasm?url',
  }
  return {
    name: 'croft:preview',
    enforce: 'pre',
    resolveId: (source) => (files[source] ? join(folder, files[source]) : null),
    transformIndexHtml: {
      order: 'pre',
      handler: (page) =>
        page
          .replace('/src/main.tsx', '/src/preview/main.ts')
          // Static hosts may send no headers. What only headers can say is left out.
          .replace(
            '<meta charset="utf-8" />',
            `<meta charset="utf-8" />
    <meta http-equiv="content-security-policy" content="${previewPolicy}" />`,
          )
          // What the server says in its pages: the sleds of the preview are simulated ones.
          .replace(
            'name="croft-machines" content=""',
            'name="croft-machines" content="simulated Machines are pretended: nothing runs in them."',
          ),
    },
  }
}

/** HTML entries of a build. The gallery is built only on request, never for production. */
function entries(mode: string): Record<string, string> {
  if (mode === 'gallery') return { gallery: at('gallery.html') }
  // Nobody has to sign in to a preview.
  if (mode === 'preview') return { index: at('index.html') }
  const login: Record<string, string> = existsSync(at('login.html'))
    ? { login: at('login.html') }
    : {}
  return { index: at('index.html'), ...login }
}

/** Screens whose loaders come with their code: what is not opened first. */
const LATE_LOADERS = [
  /^\/_authenticated\/(system|settings)\//,
  // Forms and charts.
  /(-new|-add|edit|\$rule|\$provider)\/?$|\/metrics(\/|$)/,
  // Lists that people open from others. Pages of the server name what they need, so that only moving within the console takes longer, once.
  /\/(_affinity|_floating-ips)$/,
  // What a list leads to.
  /\/\$vpc\/|\/\$(antiAffinityGroup|disk|snapshot|image)\/?$/,
  /\/(access|activity|connect|explorer|graphical-console|overview|serial-console|settings|utilization)$|\/lookup\//,
]

/**
 * All other loaders are part of the frame, so that a screen's data and its code are asked for at the same time. Those of
 * {@link LATE_LOADERS} would only be transferred by every screen.
 */
const splitBehavior = ({ routeId }: { routeId: string }): [['loader', 'component']] | undefined =>
  LATE_LOADERS.some((screens) => screens.test(routeId)) ? [['loader', 'component']] : undefined

/**
 * Modules that share a file by rule; the bundler decides about all others. Left to itself it makes dozens of small files of what most
 * screens load, and the frame carries the lists of these files for all screens: 10 to 20 KiB and 20 to 30 requests more for each screen.
 * A group takes its modules and what they import, unless a group above has it.
 */
const chunkGroups = [
  // What `import()` becomes, for every entry. The preview's starts its worker before it loads anything else.
  { name: 'preload', test: /vite[\\/]preload-helper/ },
  // What the login page shares with the console. Without this rule it would load the frame, which is 78 KiB more.
  {
    name: 'base',
    test: /node_modules[\\/](react|react-dom|scheduler)[\\/]|src[\\/](styles[\\/]|api[\\/](call|generated[\\/]operations[\\/](logout|me-account))\.|app[\\/]flash|lib[\\/](text|validate-name)|ui[\\/](button-class|spinner|identicon|mark)\.)/,
  },
  // What every signed-in screen loads.
  { name: 'frame', test: /[\\/]src[\\/](app[\\/](router|start)|ui[\\/]badge)\./ },
  // Small parts of nearly all screens.
  {
    name: 'page',
    test: /src[\\/](app[\\/](actions-menu|button-link|new-button|resource-actions)|ui[\\/](byte-size|date-time|description-cell|empty-message|link-cell|message|page-header|truncate))\.|icons[\\/](chevron-(left|right)|download|ellipsis|pencil|trash)\./,
  },
  // Tabs that are screens of their own. Neither lists nor forms have any.
  {
    name: 'route-tabs',
    test: /src[\\/]app[\\/](link|route)-tabs\./,
    includeDependenciesRecursively: false,
  },
  // What one can do with instances in their list and on their screens.
  {
    name: 'instance',
    test: /src[\\/]resource[\\/](instance-(actions|polling)|use-instance-resize)\.|icons[\\/](play|rotate-cw|scaling|square|square-terminal)\./,
    includeDependenciesRecursively: false,
  },
  {
    name: 'refresh',
    test: /src[\\/](messages[\\/]charts|ui[\\/]refresh-(button|control))\.|icons[\\/]refresh-cw\./,
    includeDependenciesRecursively: false,
  },
  // Lists of resources.
  { name: 'list', test: /src[\\/](app[\\/]list-screen|resource[\\/]list-columns|ui[\\/]table)\./ },
  // Parts of react-aria that fields and overlays share.
  {
    name: 'field',
    test: /react-aria-components[\\/]dist[\\/]private[\\/](FieldError|Group|Heading|Input|Text|TextArea)\.|src[\\/]ui[\\/]layer\./,
  },
  // Menus, and lists of options. By themselves, because react-aria's dialogs import its menus and use nothing of them.
  {
    name: 'menu',
    test: /react-aria-components[\\/]dist[\\/]private[\\/]Menu\.|react-aria[\\/]dist[\\/]private[\\/]menu[\\/]useMenu(Item|Section)?\.|react-stately[\\/]dist[\\/]private[\\/]tree[\\/]/,
    includeDependenciesRecursively: false,
  },
  {
    name: 'collection',
    test: /react-aria-components[\\/]dist[\\/]private[\\/](Collection|Header|Separator)\.|react-(aria|stately)[\\/]dist[\\/]private[\\/](collections[\\/](?!Hidden)|list[\\/]|selection[\\/])/,
    includeDependenciesRecursively: false,
  },
  // What opens over a screen: beside its button, and over everything.
  { name: 'popover', test: /react-aria-components[\\/]dist[\\/]private[\\/]Popover\./ },
  {
    name: 'modal',
    test: /src[\\/]ui[\\/](dialog|side-modal|use-escape|use-focus-first)\.|react-aria-components[\\/]dist[\\/]private[\\/]Modal\.|react-aria[\\/]dist[\\/]private[\\/](overlays[\\/]useModalOverlay|utils[\\/]useViewportSize)\./,
    includeDependenciesRecursively: false,
  },
  // Each is a few hundred bytes, and the screens of VPCs need most of them.
  {
    name: 'vpc-operations',
    test: /src[\\/]api[\\/]generated[\\/]operations[\\/](internet-gateway|vpc-(router|subnet))/,
    includeDependenciesRecursively: false,
  },
  { name: 'ip', test: /src[\\/]lib[\\/]ip(-number)?\./, includeDependenciesRecursively: false },
  // Forms.
  {
    name: 'form',
    test: /src[\\/](app[\\/]use-resource-form|ui[\\/]form[\\/](description|name|text)-field|ui[\\/]form[\\/]form-shell)\./,
  },
].map((group, index, all) => ({ ...group, priority: all.length - index }))

/** Files of which most functions are called before the first screen is there. */
const CALLED_AT_ONCE = new Set(['base', 'frame', 'page', 'route-tabs', 'list'])

/** Tells V8 to compile all functions of these files while they load, apart from the page's own thread. Other engines see a comment. */
function compileHints(): Plugin {
  const hint = '//# allFunctionsCalledOnLoad\n'
  return {
    name: 'croft:compile-hints',
    apply: 'build',
    // After Vite, which puts lists of files before some chunks. V8 looks at the first line alone.
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk' || !CALLED_AT_ONCE.has(file.name)) continue
          file.code = hint + file.code
          const map = bundle[`${file.fileName}.map`]
          if (map?.type !== 'asset') continue
          map.source = String(map.source).replace('"mappings":"', '"mappings":";')
        }
      },
    },
  }
}

const VIDEO_QUESTION = 'await _checkWebCodecsH264DecodeSupport()'

/**
 * noVNC asks the browser for a decoder of videos while it loads, and waits for the answer. Screens of machines are no videos, and a module
 * that waits turns off the bundler's optimization of shared files.
 */
function withoutVideo(): Plugin {
  return {
    name: 'croft:without-video',
    apply: 'build',
    transform: {
      filter: { id: /novnc[\\/]core[\\/]util[\\/]browser\.js$/ },
      handler(code) {
        if (!code.includes(VIDEO_QUESTION))
          throw new Error('noVNC does not ask for videos any more')
        return { code: code.replace(VIDEO_QUESTION, 'false'), map: null }
      },
    },
  }
}

/** Writes what the pages of the server name beside what is in them (`crates/server/src/console/preloads.rs`). */
function preloads(): Plugin {
  return {
    name: 'croft:preloads',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      const manifest = bundle['.vite/manifest.json']
      if (!dir || manifest?.type !== 'asset') throw new Error('the build has no manifest')
      const found = preloadsOf(JSON.parse(String(manifest.source)))
      writeFileSync(join(dir, 'preloads.json'), JSON.stringify(found))
    },
  }
}

/** Where a build goes that is not the server's. */
const outputOf: Record<string, string> = { gallery: 'dist-gallery', preview: 'dist-preview' }

export default defineConfig(({ mode }) => ({
  // A constant, so that whatever depends on it is in the preview alone. Unit tests, which take such constants for text, do without.
  define: process.env.VITEST
    ? {}
    : { 'import.meta.env.VITE_PREVIEW': JSON.stringify(mode === 'preview') },
  plugins: [
    ...(mode === 'preview' ? [preview(process.env.CROFT_PREVIEW_PACKAGE)] : []),
    ...(mode === 'production' ? [preloads()] : []),
    // Unit tests need neither the route tree nor the style sheets.
    ...(process.env.VITEST
      ? []
      : [
          tanstackRouter({
            target: 'react',
            routesDirectory: './src/routes',
            generatedRouteTree: './src/route-tree.gen.ts',
            routeFileIgnorePrefix: '-',
            quoteStyle: 'single',
            semicolons: false,
            autoCodeSplitting: true,
            codeSplittingOptions: { splitBehavior },
          }),
          tailwindcss(),
          // The console speaks English; react-aria carries some thirty translations of its own texts.
          optimizeLocales.vite({ locales: ['en-US'] }),
        ]),
    react(),
    loginEntry(),
    compileHints(),
    withoutVideo(),
  ],
  resolve: { alias: { '~': at('src') } },
  worker: {
    format: 'es',
    plugins: () => (mode === 'preview' ? [preview(process.env.CROFT_PREVIEW_PACKAGE)] : []),
  },
  build: {
    outDir: outputOf[mode] ?? 'dist',
    // The content security policy has no `data:` for fonts and scripts, so nothing may be inlined.
    assetsInlineLimit: 0,
    assetsDir: 'assets',
    target: 'es2023',
    modulePreload: { polyfill: false },
    sourcemap: true,
    // Read by scripts/screens.mjs.
    manifest: true,
    rolldownOptions: {
      input: entries(mode),
      // Texts are constants of the catalogue (`src/messages`). Inlined, each is in the file of the screen that shows it, not in the file
      // of the first screen that needs one of the same module.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      [
        '^/v1/',
        '^/experimental/',
        '^/device/(auth|confirm|token)$',
        '^/login/[^/]+/saml/',
        '^/openapi(-croft)?.json$',
      ].map((path) => [
        path,
        { target: apiOrigin, changeOrigin: true, ws: true, rewriteWsOrigin: true },
      ]),
    ),
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/test-setup.ts'],
    include: ['{src,scripts}/**/*.test.{ts,tsx}'],
    // A page, React and react-aria for each file would be four fifths of the processor time. `src/test-setup.ts` says what files do not share.
    isolate: false,
    // Tests make much that is gone at once. Room for it saves a tenth of the time, in which it would be collected.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
    restoreMocks: true,
    testTimeout: 20_000,
  },
}))
