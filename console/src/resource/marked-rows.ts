const counts = new Map<string, number>()
let sheet: CSSStyleSheet | undefined

/**
 * Strikes out the names of things that are about to be deleted, in the rows of whatever list shows them. A style sheet does
 * it, so that no list has to know of it or renders for it.
 *
 * @returns what takes the mark away.
 */
export function markRows(ids: readonly string[]): () => void {
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  render()
  return () => {
    for (const id of ids) {
      const count = (counts.get(id) ?? 0) - 1
      if (count > 0) counts.set(id, count)
      else counts.delete(id)
    }
    render()
  }
}

/** The row of a list that shows a resource. */
export const rowSelector = (id: string) => `[data-row="${CSS.escape(id)}"]`

function render() {
  // Tests have no such sheets.
  if (!('adoptedStyleSheets' in document)) return
  if (!sheet) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets.push(sheet)
  }
  const rows = [...counts.keys()].map(rowSelector)
  sheet.replaceSync(
    rows.length > 0 ? `:is(${rows.join()}) .cell-name { text-decoration: line-through }` : '',
  )
}
