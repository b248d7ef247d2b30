import { call } from '~/api/call'
import { allItems } from '~/api/list'
import type { ResultsPage } from '~/api/list'
import type { Input, Operation, OperationData } from '~/api/operation'

/** Everything in a list, page after page. */
export async function wholeList<Data extends OperationData, Row>(
  operation: Operation<Data, ResultsPage<Row>>,
  params: Input<Data>,
): Promise<Row[]> {
  const rows: Row[] = []
  let pageToken: string | undefined
  do {
    const query = { ...(params as { query?: object }).query, limit: allItems, pageToken }
    const page = await call(operation, { ...params, query })
    rows.push(...page.items)
    // A page that is not full is the last one.
    pageToken = page.items.length < allItems ? undefined : (page.nextPage ?? undefined)
  } while (pageToken)
  return rows
}
