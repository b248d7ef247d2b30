import * as text from '~/messages/session'

const BROWSERS: [name: string, sign: RegExp][] = [
  [text.browserNameLabel.edge, /\bEdg\//],
  [text.browserNameLabel.opera, /\bOPR\//],
  [text.browserNameLabel.firefox, /\bFirefox\//],
  [text.browserNameLabel.chrome, /\b(Chrome|CriOS)\//],
  [text.browserNameLabel.safari, /\bSafari\//],
]

const SYSTEMS: [name: string, sign: RegExp][] = [
  [text.systemLabel.android, /\bAndroid\b/],
  [text.systemLabel.ios, /\b(iPhone|iPad)\b/],
  [text.systemLabel.windows, /\bWindows\b/],
  [text.systemLabel.macos, /\bMac OS X\b/],
  [text.systemLabel.linux, /\bLinux\b/],
]

const find = (list: [string, RegExp][], userAgent: string) =>
  list.find(([, sign]) => sign.test(userAgent))?.[0]

/** The common name of a browser and its operating system, for example `Firefox on Linux`. An unknown user agent is returned as it is. */
export function browserName(userAgent: string | null | undefined): string {
  if (!userAgent) return text.unknownBrowserLabel
  const [browser, system] = [find(BROWSERS, userAgent), find(SYSTEMS, userAgent)]
  if (!browser) return userAgent
  return system ? text.browserLabel(browser, system) : browser
}
