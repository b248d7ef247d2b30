const BROWSERS: [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]

const SYSTEMS: [name: string, sign: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

const find = (list: [string, RegExp][], text: string) =>
  list.find(([, sign]) => sign.test(text))?.[0]

/** What people call the browser that calls itself so, with the system it runs on; its own words where nothing is known of it. */
export function browserName(userAgent: string | null | undefined): string {
  if (!userAgent) return 'Unknown'
  const [browser, system] = [find(BROWSERS, userAgent), find(SYSTEMS, userAgent)]
  if (!browser) return userAgent
  return system ? `${browser} on ${system}` : browser
}
