import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

const source = readFileSync('src/styles/tokens.css', 'utf8')

type Theme = ReadonlyMap<string, string>

function declarations(text: string): Map<string, string> {
  const found = text.matchAll(/(--color-[a-z0-9-]+):\s*([^;]+);/g)
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, value.trim()]))
}

const [lightText = '', darkText = ''] = source.split("[data-theme='dark']")
const light: Theme = declarations(lightText)
const dark: Theme = new Map([...light, ...declarations(darkText)])

/** Follows `var(--color-…)` to the colour itself. */
function resolve(theme: Theme, name: string): string {
  const value = theme.get(`--color-${name}`)
  if (value === undefined) throw new Error(`no token --color-${name}`)
  const reference = /^var\(--color-([a-z0-9-]+)\)$/.exec(value)?.[1]
  return reference === undefined ? value : resolve(theme, reference)
}

/** Relative luminance as WCAG 2 defines it, by way of OKLab and linear sRGB. */
function luminance(color: string): number {
  const [lightness = 0, chroma = 0, hue = 0] =
    /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(color)?.slice(1).map(Number) ?? []
  if (lightness === 0) throw new Error(`not an opaque oklch colour: ${color}`)
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clamp = (channel: number) => Math.min(1, Math.max(0, channel))
  const red = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(theme: Theme, one: string, other: string): number {
  const [darker = 0, lighter = 0] = [one, other]
    .map((name) => luminance(resolve(theme, name)))
    .toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const tones = ['neutral', 'accent', 'success', 'notice', 'danger', 'info', 'violet']
const surfaces = ['canvas', 'chrome', 'raised', 'sunken', 'field', 'hover', 'selected']

/** Text needs 4.5 to 1 against everything it stands on. */
const textPairs = [
  ...['fg', 'fg-muted', 'fg-subtle'].flatMap((text) => surfaces.map((under) => [text, under])),
  ['fg', 'pressed'],
  ['fg-muted', 'pressed'],
  ['tooltip-fg', 'tooltip'],
  ...tones.flatMap((tone) => [
    [`${tone}-text`, `${tone}-bg`],
    [`${tone}-text`, 'canvas'],
    [`${tone}-text`, 'raised'],
    [`${tone}-text`, 'hover'],
    [`${tone}-on`, `${tone}-solid`],
    [`${tone}-on`, `${tone}-solid-hover`],
  ]),
] as [string, string][]

/** Edges of controls, focus rings and dots need 3 to 1. */
const shapePairs = ['canvas', 'chrome', 'raised', 'field'].flatMap((under): [string, string][] => [
  ['line-control', under],
  ['focus', under],
  ...[1, 2, 3, 4, 5, 6].map((place): [string, string] => [`chart-${place}`, under]),
])

describe.each([
  ['light', light],
  ['dark', dark],
])('the %s theme', (_, theme) => {
  it.each(textPairs)('%s is readable on %s', (text, under) => {
    expect(contrast(theme, text, under)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(shapePairs)('%s can be seen on %s', (shape, under) => {
    expect(contrast(theme, shape, under)).toBeGreaterThanOrEqual(3)
  })
})
