import * as text from '~/messages/graphical-console-screens'

/** A key as the protocol has it. */
export interface Key {
  /** Its number of X11. */
  keysym: number
  /** Its place on a keyboard, as the `code` of events; empty for a character that may be at any. */
  key: string
}

const CONTROL: Key = { keysym: 0xffe3, key: 'ControlLeft' }
const ALT: Key = { keysym: 0xffe9, key: 'AltLeft' }
const SHIFT: Key = { keysym: 0xffe1, key: 'ShiftLeft' }
const SUPER: Key = { keysym: 0xffeb, key: 'MetaLeft' }
const DELETE: Key = { keysym: 0xffff, key: 'Delete' }
const BACKSPACE: Key = { keysym: 0xff08, key: 'Backspace' }
const TAB: Key = { keysym: 0xff09, key: 'Tab' }
const ESCAPE: Key = { keysym: 0xff1b, key: 'Escape' }
const PRINT: Key = { keysym: 0xff61, key: 'PrintScreen' }
const ENTER: Key = { keysym: 0xff0d, key: 'Enter' }
const functionKey = (number: number): Key => ({ keysym: 0xffbd + number, key: `F${number}` })

/** Keys that are pressed together. The last one is released first. */
export interface KeyCombination {
  /** As it is labelled on keyboards. */
  name: string
  keys: readonly Key[]
}

/** Combinations that browsers and operating systems keep for themselves. */
export const COMBINATIONS: readonly KeyCombination[] = [
  { name: text.combinationLabel.delete, keys: [CONTROL, ALT, DELETE] },
  { name: text.combinationLabel.backspace, keys: [CONTROL, ALT, BACKSPACE] },
  ...[1, 2, 3, 7].map((number) => ({
    name: text.terminalKeysLabel(number),
    keys: [CONTROL, ALT, functionKey(number)],
  })),
  { name: text.combinationLabel.altTab, keys: [ALT, TAB] },
  { name: text.combinationLabel.altF4, keys: [ALT, functionKey(4)] },
  { name: text.combinationLabel.super, keys: [SUPER] },
  { name: text.combinationLabel.print, keys: [PRINT] },
  { name: text.combinationLabel.escape, keys: [ESCAPE] },
  { name: text.combinationLabel.tab, keys: [TAB] },
]

/** The characters that need Shift on a US keyboard. */
const SHIFTED = /^[A-Z~!@#$%^&*()_+{}|:"<>?]$/

/** The keys that type a character together; none for one that no key types. */
export function keysOf(character: string): readonly Key[] {
  if (character === '\n') return [ENTER]
  if (character === '\t') return [TAB]
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return []
  // Characters beyond Latin 1 have numbers of their own.
  const typed = { keysym: code < 0x100 ? code : 0x01_00_00_00 + code, key: '' }
  return SHIFTED.test(character) ? [SHIFT, typed] : [typed]
}

/** Milliseconds from one character to the next. A keyboard forgets what comes faster than its guest reads. */
const PAUSE = 40

/** Types a text, character by character, until it has all been typed or `signal` is aborted. */
export async function typeText(
  text: string,
  press: (keys: readonly Key[]) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const character of text.replaceAll(/\r\n?/g, '\n')) {
    if (signal.aborted) return
    press(keysOf(character))
    // oxlint-disable-next-line no-await-in-loop -- one character after the other
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}
