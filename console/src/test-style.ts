/** What the testing library and react-aria ask for all the time. The rest is left to jsdom. */
interface Asked {
  display: string
  visibility: string
  pointerEvents: string
}

const isAsked = (name: unknown): name is keyof Asked =>
  name === 'display' || name === 'visibility' || name === 'pointerEvents'

/** Attributes that the browser's own style sheet looks at for what is asked. */
const ATTRIBUTES = ['hidden', 'open', 'popover', 'type']

/**
 * Answers as `getComputedStyle` of jsdom does whether something is shown and can be pressed, in a fraction of the time: jsdom compares an
 * element with every rule of a browser's own style sheet, after each change of the page anew. Unit tests have no other style sheet, so that
 * the name and a few attributes decide which of those rules apply, and only inline styles can say anything else.
 */
export function quickComputedStyle(computed: typeof getComputedStyle): typeof getComputedStyle {
  const known = new Map<string, Asked>()

  /** What the browser's own style sheet says, without what is inherited. */
  function ownStyle(element: Element): Asked {
    const key = [element.tagName, ...ATTRIBUTES.map((name) => element.getAttribute(name))].join()
    const before = known.get(key)
    if (before) return before
    const bare = element.cloneNode() as Element
    bare.removeAttribute('style')
    const { display, visibility, pointerEvents } = computed(bare)
    const style = { display, visibility, pointerEvents }
    known.set(key, style)
    return style
  }

  function answer(element: Element, name: keyof Asked): string {
    if (name === 'display') return inlineStyle(element, name) || ownStyle(element).display
    const initial = name === 'visibility' ? 'visible' : 'auto'
    for (let each: Element | null = element; each; each = each.parentElement) {
      const inline = inlineStyle(each, name)
      if (inline && inline !== 'inherit') return inline
      const own = ownStyle(each)[name]
      if (!inline && own !== initial) return own
    }
    return initial
  }

  return (element, pseudo) => {
    if (pseudo || element.localName === 'summary' || hasRules(element.ownerDocument)) {
      return computed(element, pseudo)
    }
    const get = (_: unknown, name: string | symbol) => {
      if (name === 'getPropertyValue') return (property: string) => String(get(null, property))
      if (isAsked(name)) return answer(element, name)
      const style = computed(element)
      const value: unknown = Reflect.get(style, name)
      return typeof value === 'function' ? value.bind(style) : value
    }
    return new Proxy<CSSStyleDeclaration>({} as CSSStyleDeclaration, { get })
  }
}

const inlineStyle = (element: Element, name: keyof Asked): string =>
  element.hasAttribute('style') ? (element as HTMLElement).style[name] : ''

/** Whether a style sheet of the page has a rule that jsdom applies. It knows no layers, in which react-aria has its rules. */
const hasRules = ({ styleSheets }: Document): boolean =>
  [...styleSheets].some(({ cssRules }) =>
    [...cssRules].some((rule) => rule.constructor.name !== 'CSSLayerBlockRule'),
  )
