/**
 * An answer in which everything that says the same as the answer before is the same object, so that only what has changed is rendered
 * again. Unlike the query library's own function it knows dates, which most records have.
 */
export function shareStructure(before: unknown, after: unknown): unknown {
  if (Object.is(before, after)) return before
  if (before instanceof Date && after instanceof Date) {
    return before.getTime() === after.getTime() ? before : after
  }
  if (Array.isArray(before) && Array.isArray(after)) return shareItems(before, after)
  if (isPlain(before) && isPlain(after)) return shareFields(before, after)
  return after
}

/** Items of lists move up and down. One with an id is compared with the one that had it before. */
function shareItems(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  const byId = new Map<unknown, unknown>()
  for (const item of before) {
    const id = idOf(item)
    if (id !== undefined) byId.set(id, item)
  }
  const shared = after.map((item, index) => {
    const id = idOf(item)
    return shareStructure(id === undefined ? before[index] : byId.get(id), item)
  })
  const isSame =
    before.length === shared.length && shared.every((item, index) => Object.is(item, before[index]))
  return isSame ? before : shared
}

function shareFields(before: Fields, after: Fields): Fields {
  const names = Object.keys(after)
  let isSame = names.length === Object.keys(before).length
  const shared = Object.fromEntries(
    names.map((name) => {
      const value = shareStructure(before[name], after[name])
      if (!Object.is(value, before[name]) || !(name in before)) isSame = false
      return [name, value]
    }),
  )
  return isSame ? before : shared
}

type Fields = Record<string, unknown>

const isPlain = (value: unknown): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)

const idOf = (value: unknown): unknown => (isPlain(value) ? value['id'] : undefined)
