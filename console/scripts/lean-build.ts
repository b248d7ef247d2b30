/**
 * What the build takes out of libraries and generated files because the console has no use for it. Each step throws when it does not find
 * what it takes out: a new version of the library may have moved it.
 */
import type { Plugin } from 'vite'

const unknownCode = (what: string) =>
  new Error(`${what} is not what scripts/lean-build.ts knows: look at its new version`)

/**
 * The console speaks English, so the translations that react-aria carries for some thirty other
 * languages would only weigh on the first load. Each of them is replaced by the English text.
 */
export function englishOnly(): Plugin {
  const translation =
    /[\\/](react-aria|react-stately|react-aria-components)[\\/].*[\\/]intl[\\/].*?([a-z]{2}-[A-Z]{2})\.m?js$/
  return {
    name: 'croft:english-only',
    enforce: 'pre',
    load(id) {
      const locale = translation.exec(id.split('?')[0] ?? '')?.[2]
      if (!locale || locale === 'en-US') return null
      return `export { default } from './en-US.mjs'`
    },
  }
}

/**
 * A dialog of react-aria asks the menu around it to close, and brings all of the menus along for that. No dialog of the console is inside a
 * menu, so it gets a context that nobody provides, and menus come when one is used.
 */
export function dialogsWithoutMenus(): Plugin {
  const menu = /import \{\s*RootMenuTriggerStateContext as (\S+?)\s*\} from "\.\/Menu\.mjs";/
  return {
    name: 'croft:dialogs-without-menus',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]react-aria-components[\\/].*[\\/]private[\\/]Dialog\.mjs$/ },
      handler(code) {
        if (!menu.test(code)) throw unknownCode('The dialog of react-aria-components')
        const lean = code.replace(
          menu,
          `import { createContext as createMenuContext } from "react";\nconst $1 = createMenuContext(null);`,
        )
        return { code: lean, map: null }
      },
    },
  }
}

/**
 * Module of an icon that is drawn by `ui/create-icon.ts`: its shapes without names and keys, those that are just a path as bare strings.
 *
 * @param code a module of `lucide-react/icons`.
 * @returns null for a module that only gives another one a second name.
 */
export function leanIcon(code: string): string | null {
  if (!code.includes('__iconData =')) return null
  const nodes = /\n  size: 24,\n  node: ([^]*?)(,\n  aliases: [^]*?)?\n\};/.exec(code)?.[1]
  if (!nodes) throw unknownCode('An icon of lucide-react')
  const keyless = nodes.replaceAll(/,?\s*\bkey: "[^"]*"/g, '')
  const shapes = keyless.replaceAll(/\[\s*"path",\s*\{\s*d: ("[^"]*")\s*\}\s*\]/g, '$1')
  return `import { createIcon } from '/src/ui/create-icon'
export default /* @__PURE__ */ createIcon(${shapes})`
}

/** Icons are drawn by the console's own few lines instead of lucide's, which serve several frameworks and settings. */
export function leanIcons(): Plugin {
  return {
    name: 'croft:lean-icons',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]lucide-react[\\/].*[\\/]icons[\\/][\w-]+\.mjs$/ },
      handler(code) {
        const lean = leanIcon(code)
        return lean && { code: lean, map: null }
      },
    },
  }
}

/**
 * The generated tree of routes whose children are lists: the generator gives them long names, which the router does not look at.
 *
 * @throws when there is nothing like that in the code.
 */
export function leanRouteTree(code: string): string {
  const children = /^(const \w+Children)(?:: \w+)? =\s*\{([^{}]*)\}/gm
  if (!children.test(code)) throw unknownCode('The tree of routes')
  return code.replace(children, (_, start: string, entries: string) => {
    const values = entries.split(',').map((entry) => entry.split(':').at(-1)?.trim())
    return `${start} = [${values.filter(Boolean).join(', ')}]`
  })
}

/** A route file without the path that it states: it is there for the types, and the tree says it once more. */
export const leanRouteFile = (code: string): string =>
  code.replace(/\bcreateFileRoute\((["'])[^"']*\1\)/, `createFileRoute('')`)

/** Routes without what only types look at. */
export function leanRoutes(): Plugin {
  return {
    name: 'croft:lean-routes',
    transform: {
      filter: { id: /[\\/]src[\\/](route-tree\.gen\.ts|routes[\\/].*\.tsx)(\?.*)?$/ },
      handler(code, id) {
        const lean = /route-tree\.gen\.ts/.test(id) ? leanRouteTree(code) : leanRouteFile(code)
        return { code: lean, map: null }
      },
    },
  }
}
