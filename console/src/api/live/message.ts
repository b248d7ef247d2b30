/** Something that was committed. The record itself is not in it: what shows it asks for it again. */
export interface Change {
  /** What it is: the server's word, of which new ones come. */
  kind: string
  id: string
  /** What it is a part of, for parts. */
  parent: string | null
  /** The project that it is in, for what is in one. */
  project: string | null
}

/** What the stream of events says. */
export type LiveMessage =
  | { type: 'change'; change: Change }
  /** What was fetched before may have changed, or be visible no more. */
  | { type: 'reset'; reason: string }
  /** Nothing happened, and the stream is well. */
  | { type: 'heartbeat' }

/** A message and the place in the stream from which another connection can go on. */
export interface Received {
  message: LiveMessage
  /** Empty as long as the stream has not said. */
  lastEventId: string
}

interface Block {
  event: string
  data: string[]
  id?: string
}

const emptyBlock = (): Block => ({ event: '', data: [] })

/**
 * Takes apart what a stream of server-sent events sends, in pieces of any length.
 *
 * The browser's own reader would hide heartbeats, status codes and the id to go on from, which is handed from tab to tab.
 */
export function eventParser() {
  let rest = ''
  let block = emptyBlock()
  let lastEventId = ''

  const endBlock = (): Received | undefined => {
    const { event, data, id } = block
    block = emptyBlock()
    if (id !== undefined) lastEventId = id
    const message = readMessage(event, data.join('\n'))
    return message && { message, lastEventId }
  }

  return (text: string): Received[] => {
    const lines = (rest + text).split(/\r\n|\n/)
    rest = lines.pop() ?? ''
    return lines.flatMap((line) => {
      if (line === '') return endBlock() ?? []
      addLine(block, line)
      return []
    })
  }
}

function addLine(block: Block, line: string) {
  const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
  if (name === 'event') block.event = value
  else if (name === 'data') block.data.push(value)
  else if (name === 'id') block.id = value
}

function readMessage(event: string, data: string): LiveMessage | undefined {
  if (event === '') return { type: 'heartbeat' }
  if (event === 'reset') return { type: 'reset', reason: String(parsed(data)['reason']) }
  if (event !== 'change') return undefined
  const { kind, id, parent, project } = parsed(data)
  return {
    type: 'change',
    change: {
      kind: String(kind),
      id: String(id),
      parent: typeof parent === 'string' ? parent : null,
      project: typeof project === 'string' ? project : null,
    },
  }
}

const parsed = (data: string) => JSON.parse(data) as Record<string, unknown>
