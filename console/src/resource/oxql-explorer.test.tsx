import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { saveText } from '~/lib/save-file'

import { projectSchemas } from './metric-schemas'
import { OxqlExplorer } from './oxql-explorer'
import { oxqlSearch } from './oxql-search'

// There is no canvas here; what is drawn is looked at in a browser.
vi.mock('~/ui/chart/chart-plot', () => ({ ChartPlot: () => <p>picture</p> }))
vi.mock('~/lib/save-file', () => ({ saveText: vi.fn<typeof saveText>() }))

const navigation = vi.hoisted(() => ({ setQuery: (_query: string) => {} }))
vi.mock('@tanstack/react-router', () => ({
  useNavigate: () => (target: { search: { query: string } }) =>
    navigation.setQuery(target.search.query),
}))

/** The explorer with a URL that holds its query. */
function Page({ project, start }: { project?: string; start?: string }) {
  const [query, setQuery] = useState(start)
  useEffect(() => {
    navigation.setQuery = setQuery
  }, [])
  return (
    <QueryClientProvider client={queryClient}>
      <OxqlExplorer project={project} query={query} schemas={projectSchemas} />
    </QueryClientProvider>
  )
}

function answerWith(answer: () => Response) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => answer())
  configureTransport({ fetch })
  return fetch
}

const found = () =>
  Response.json({
    tables: [
      {
        name: 'virtual_disk:reads',
        timeseries: {
          '1': {
            fields: { disk_id: { type: 'uuid', value: 'd' } },
            points: {
              start_times: null,
              timestamps: ['2026-11-21T10:00:00Z'],
              values: [{ metric_type: 'gauge', values: { type: 'double', values: [4] } }],
            },
          },
        },
      },
    ],
  })

const editor = () => screen.getByRole('textbox', { name: 'Query' }) as HTMLTextAreaElement

beforeEach(() => {
  queryClient.clear()
  sessionStorage.clear()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

describe('OxqlExplorer', () => {
  it('runs what is written with the project, and shows what was found', async () => {
    const user = userEvent.setup()
    const fetch = answerWith(found)
    render(<Page project="shop" />)
    expect(screen.getByText('Run a query')).toBeTruthy()
    expect(fetch).not.toHaveBeenCalled()
    await user.click(editor())
    await user.paste('get virtual_disk:reads | last 5')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText('1 table, 1 series, 1 point')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'virtual_disk:reads (Count)' })).toBeTruthy()
    const [url, init] = fetch.mock.calls[0] ?? []
    expect(url).toBe('/v1/timeseries/query?project=shop')
    expect(JSON.parse(String(init?.body))).toEqual({ query: 'get virtual_disk:reads | last 5' })
    await user.click(screen.getByRole('button', { name: 'Download result' }))
    expect(vi.mocked(saveText).mock.calls[0]?.[2]).toContain(
      'virtual_disk:reads,d,,2026-11-21T10:00:00Z,4',
    )
  })

  it('runs the query of a link, of the system where there is no project', async () => {
    const fetch = answerWith(found)
    render(<Page start="get virtual_disk:reads | last 5" />)
    expect(editor().value).toBe('get virtual_disk:reads | last 5')
    expect(await screen.findByText('1 table, 1 series, 1 point')).toBeTruthy()
    expect(fetch.mock.calls[0]?.[0]).toBe('/v1/system/timeseries/query')
  })

  it('marks where an error is until the query is changed', async () => {
    const user = userEvent.setup()
    answerWith(() =>
      Response.json(
        {
          request_id: 'r',
          error_code: 'InvalidRequest',
          message: 'Error at 1:5: .. get nonsense ..\n       ^\nExpected: ":"',
        },
        { status: 400 },
      ),
    )
    render(<Page project="shop" start="get nonsense" />)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Error in line 1, column 5')
    expect(within(alert).getByRole('region').textContent).toBe('get nonsense\n    ^')
    expect(alert.textContent).toContain('Expected: ":"')
    expect(editor().getAttribute('aria-invalid')).toBe('true')
    await user.type(editor(), '!')
    expect(editor().getAttribute('aria-invalid')).toBeNull()
  })

  it('completes with the keyboard alone', async () => {
    const user = userEvent.setup()
    answerWith(found)
    render(<Page project="shop" />)
    await user.type(editor(), 'get vcpu')
    const options = screen.getAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual([
      'virtual_machine:vcpu_usagenanoseconds',
    ])
    await user.keyboard('{ArrowDown}')
    expect(editor().getAttribute('aria-activedescendant')).toBe(options[0]?.id)
    await user.keyboard('{Enter}')
    expect(editor().value).toBe('get virtual_machine:vcpu_usage')
    expect(screen.queryByRole('listbox')).toBeNull()
    await user.keyboard(' | fi{Tab} sta{Escape}{Tab}')
    expect(editor().value).toBe('get virtual_machine:vcpu_usage | filter sta')
    expect(document.activeElement).not.toBe(editor())
  })

  it('comes back to earlier queries, each once', async () => {
    const user = userEvent.setup()
    answerWith(found)
    render(<Page project="shop" />)
    for (const query of ['get a:b | last 1', 'get c:d | last 1', 'get a:b | last 1']) {
      await user.clear(editor())
      await user.click(editor())
      await user.paste(query)
      await user.keyboard('{Control>}{Enter}{/Control}')
      await screen.findByText('1 table, 1 series, 1 point')
    }
    await user.click(screen.getByRole('button', { name: 'Recent queries' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'get a:b | last 1',
      'get c:d | last 1',
    ])
    await user.click(screen.getByRole('menuitem', { name: 'get c:d | last 1' }))
    expect(editor().value).toBe('get c:d | last 1')
  })

  it('begins with a timeseries from the list', async () => {
    const user = userEvent.setup()
    const fetch = answerWith(found)
    render(<Page project="shop" />)
    await user.type(screen.getByRole('searchbox', { name: 'Filter timeseries' }), 'io_lat')
    await user.click(screen.getByRole('button', { name: /io_latency/ }))
    expect(await screen.findByText('1 table, 1 series, 1 point')).toBeTruthy()
    expect(JSON.parse(String(fetch.mock.calls[0]?.[1].body)).query).toBe(
      'get virtual_disk:io_latency\n  | filter timestamp > @now() - 1h',
    )
  })
})

describe('oxqlSearch', () => {
  it('keeps a query and nothing else', () => {
    expect(oxqlSearch({ query: 'get a:b', other: 1 })).toEqual({ query: 'get a:b' })
    expect(oxqlSearch({ query: '' })).toEqual({})
  })
})
