import type { ResourceLabel } from '~/api/generated/types.gen'
import * as text from '~/messages/labels'

/** Most labels of a resource. */
export const MAX_LABELS = 64
/** Longest prefix of a key, in characters. */
const MAX_PREFIX = 253
/** What keys and values are made of, at most 63 characters. */
const WORD = /^[a-z0-9]([-_.a-z0-9]{0,61}[a-z0-9])?$/i
/** A part of a domain name. */
const PART = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/

/** What is wrong with a label, by its two fields. */
export interface LabelMistakes {
  key?: string
  value?: string
}

/** A label as it is written. */
export const labelText = ({ key, value }: ResourceLabel): string => `${key}=${value}`

/** What is wrong with a key; `undefined` if nothing is. */
export function keyMistake(key: string): string | undefined {
  if (key === '') return text.keyMissingError
  const slash = key.indexOf('/')
  if (slash >= 0 && !isDomain(key.slice(0, slash))) return text.keyPrefixError
  return WORD.test(key.slice(slash + 1)) ? undefined : text.keyError
}

/** What is wrong with a value; `undefined` if nothing is. */
export const valueMistake = (value: string): string | undefined =>
  value === '' || WORD.test(value) ? undefined : text.valueError

/** What is wrong with each of several labels, as the server would say. Rows without key and value are left alone. */
export function labelMistakes(labels: readonly ResourceLabel[]): LabelMistakes[] {
  const seen = new Set<string>()
  return labels.map(({ key, value }) => {
    if (key === '' && value === '') return {}
    const isTaken = seen.has(key)
    seen.add(key)
    return {
      key: keyMistake(key) ?? (isTaken ? text.keyTakenError : undefined),
      value: valueMistake(value),
    }
  })
}

const isDomain = (text: string) =>
  text.length <= MAX_PREFIX && text.split('.').every((part) => PART.test(part))

/** The requirements of a selector, as the server reads them: commas within parentheses belong to one. */
export const requirementsOf = (selector: string): string[] =>
  selector
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** A selector with one more requirement. */
export const withRequirement = (selector: string | undefined, requirement: string): string =>
  [...new Set([...requirementsOf(selector ?? ''), requirement])].join(',')

/** A selector with one requirement less; empty if none is left. */
export const withoutRequirement = (selector: string, requirement: string): string =>
  requirementsOf(selector)
    .filter((each) => each !== requirement)
    .join(',')
