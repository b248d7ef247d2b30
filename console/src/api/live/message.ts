/** A committed change. It does not contain the record; screens that show the record fetch it again. */
export interface Change {
  /** The server's name for the kind of object. Newer servers may send kinds that are unknown here. */
  kind: string
  id: string
  /** The id of the parent object, if there is one. */
  parent: string | null
  /** The id of the project that contains the object, if there is one. */
  project: string | null
  /** Its position in the change log, if that is known. */
  position?: string
}

/** A message of the stream of events. */
export type LiveMessage =
  | { type: 'change'; change: Change }
  /** Anything fetched before may have changed or may no longer be visible. */
  | { type: 'reset'; reason: string }
  /** A heartbeat. */
  | { type: 'heartbeat' }

/** A message and the place in the stream from which another connection can go on. */
export interface Received {
  message: LiveMessage
  /** Empty until the stream has sent one. */
  lastEventId: string
}

interface Block {
  event: string
  data: string[]
  id?: string
}

const emptyBlock = (): Block => ({ event: '', data: [] })

/**
 * Parses a stream of server-sent events that arrives in chunks of any length.
 *
 * `EventSource` is not used because it hides heartbeats, status codes and the last event id, which tabs hand to each other.
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
