import type { ITheme } from '@xterm/xterm'

/** The design tokens for the colors of a terminal. Both themes use the same tokens, because the values of the tokens differ. */
const TOKENS = {
  background: 'canvas',
  foreground: 'fg',
  cursor: 'accent-solid',
  cursorAccent: 'canvas',
  selectionBackground: 'focus',
  black: 'neutral-5',
  red: 'danger-text',
  green: 'success-text',
  yellow: 'notice-text',
  blue: 'info-text',
  magenta: 'violet-text',
  cyan: 'accent-text',
  white: 'neutral-11',
  brightBlack: 'neutral-8',
  brightRed: 'danger-solid',
  brightGreen: 'success-solid',
  brightYellow: 'notice-solid',
  brightBlue: 'info-solid',
  brightMagenta: 'violet-solid',
  brightCyan: 'accent-solid',
  brightWhite: 'neutral-12',
} as const satisfies Partial<Record<keyof ITheme, string>>

/** The colors of a terminal in the current theme. */
export function terminalTheme(): ITheme {
  const style = getComputedStyle(document.documentElement)
  const entries = Object.entries(TOKENS).map(([role, token]) => [
    role,
    style.getPropertyValue(`--color-${token}`).trim(),
  ])
  return Object.fromEntries(entries) as ITheme
}
