/**
 * What the console's list of instances is compared with: the same rows with plain elements, kept up to date by the same stream. It does
 * nothing else, so it is what a list costs at least with this server and React.
 *
 * `?project=NAME` says which instances, and `limit` how many rows a page has (50 unless given).
 */
import { useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

const { project, limit = '50' } = Object.fromEntries(new URLSearchParams(location.search))

/** A page of the list. The contract's list finds nothing, so that a search is another operation. */
async function fetchPage({ q, isLast, token }) {
  const path = q ? '/experimental/v1/lists/instances' : '/v1/instances'
  const query = new URLSearchParams({
    limit,
    ...(token
      ? { page_token: token }
      : { project, ...(q && { q }), ...(isLast && { sort_by: 'name_descending' }) }),
  })
  const answer = await fetch(`${path}?${query}`)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  const page = await answer.json()
  return isLast ? { items: page.items.toReversed() } : page
}

/** Calls a function after each change of an instance in this project. */
function useChanges(onChange) {
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    const stream = new EventSource(`/experimental/v1/events?kinds=instance&project=${project}`)
    stream.addEventListener('change', () => latest.current())
    return () => stream.close()
  }, [])
}

function BareList() {
  const [asked, ask] = useState({})
  const [page, setPage] = useState()
  const newest = useRef(0)
  const load = async () => {
    newest.current += 1
    const mine = newest.current
    const answer = await fetchPage(asked)
    if (mine === newest.current) setPage(answer)
  }
  useEffect(() => void load(), [asked])
  useChanges(load)
  if (!page) return null
  return (
    <>
      <h1>Instances</h1>
      <input
        aria-label="Search"
        value={asked.q ?? ''}
        onChange={({ target }) => ask({ q: target.value })}
      />
      <Table rows={page.items} />
      <button onClick={() => ask({ ...asked, token: page.next_page })}>Next</button>
      <button onClick={() => ask({ isLast: true })}>Last</button>
    </>
  )
}

const columns = ['Name', 'CPU', 'Memory', 'State', 'Created']

const Table = ({ rows }) => (
  <table>
    <thead>
      <tr>
        <th>
          <input type="checkbox" aria-label="Select all" />
        </th>
        {columns.map((column) => (
          <th key={column}>{column}</th>
        ))}
        <th />
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <Row key={row.id} row={row} />
      ))}
    </tbody>
  </table>
)

const Row = ({ row }) => (
  <tr>
    <td>
      <input type="checkbox" aria-label={`Select ${row.name}`} />
    </td>
    <td>
      <a href={`/projects/${project}/instances/${row.name}/storage`}>{row.name}</a>
    </td>
    <td>{row.ncpus} vCPUs</td>
    <td>{row.memory / 1024 ** 3} GiB</td>
    <td>
      {row.run_state} {dateOf(row.time_run_state_updated)}{' '}
      <button aria-label={`Start ${row.name}`}>▶</button>
    </td>
    <td>{dateOf(row.time_created)}</td>
    <td>
      <button aria-label="Row actions">…</button>
    </td>
  </tr>
)

const dateOf = (time) => time.slice(0, 10)

createRoot(document.querySelector('#root')).render(<BareList />)
