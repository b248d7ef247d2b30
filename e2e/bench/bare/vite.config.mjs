import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Builds the bare page with the console's React, for a folder beside the console's own files. The console's Vite runs it; nothing is
 * installed for it.
 */
// oxlint-disable-next-line import/no-default-export -- Vite reads it
export default {
  root: at('.'),
  // The server answers what is below `/assets/` without further ado.
  base: '/assets/bare/',
  resolve: {
    alias: {
      'react-dom': at('../../../console/node_modules/react-dom'),
      react: at('../../../console/node_modules/react'),
    },
  },
  build: { target: 'es2023', modulePreload: { polyfill: false }, emptyOutDir: true },
}
