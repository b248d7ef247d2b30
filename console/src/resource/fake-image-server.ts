/** A disk with the fields that an upload uses. */
export interface FakeDisk {
  id: string
  name: string
  state: string
  size: number
  blockSize: number
  written: number[]
}

/** The key of a call, for example `POST disk`, `GET snapshot`, `POST disk/finalize`. */
type Refusals = Record<string, () => Response | Promise<Response>>

const TIME = '2026-02-28T11:00:00Z'

/** A server for tests with the operations of an upload. It enforces the states of its disk. */
export class FakeImageServer {
  disks = new Map<string, FakeDisk>()
  snapshots = new Map<string, string>()
  images: object[] = []
  calls: string[] = []
  /** Responses that replace the server's own, by call. Each is used once. */
  refusals: Refusals = {}
  /** Called before a call is answered. */
  onCall: (call: string) => void = () => undefined

  answer = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url, 'http://cloud')
    const [kind = '', key, action] = pathname.replace('/v1/', '').split('/')
    const call = [`${init.method} ${kind.replace(/s$/, '')}`, action].filter(Boolean).join('/')
    this.calls.push(call)
    this.onCall(call)
    const refusal = this.refusals[call]
    delete this.refusals[call]
    if (refusal) return refusal()
    const body = init.body ? JSON.parse(String(init.body)) : {}
    if (call === 'POST image') return this.createImage(body)
    if (kind === 'snapshots') return this.snapshot(init.method, key)
    if (call === 'POST disk') return this.createDisk(body)
    const disk = [...this.disks.values()].find(({ id, name }) => id === key || name === key)
    return disk ? this.diskCall(call, disk, body) : failure(404, 'ObjectNotFound')
  }

  private createDisk(body: { name: string; size: number; disk_source: { block_size: number } }) {
    const id = `id-of-${body.name}`
    const disk = { id, name: body.name, state: 'import_ready', size: body.size, written: [] }
    const created = { ...disk, time_created: TIME, state: { state: 'creating' } }
    this.disks.set(id, { ...disk, blockSize: body.disk_source.block_size })
    // The response shows the initial state of the disk. The next request shows that it is ready.
    return Response.json(created, { status: 201 })
  }

  private createImage(body: object) {
    this.images.push(body)
    return Response.json({ id: 'image', ...body }, { status: 201 })
  }

  private snapshot(method: string | undefined, key = '') {
    const id = key.startsWith('id-of-') ? key : this.snapshots.get(key)
    const isThere = [...this.snapshots.values()].some((each) => each === id)
    if (!id || !isThere) return failure(404, 'ObjectNotFound')
    if (method === 'GET') return Response.json({ id })
    this.snapshots.delete(id.replace('id-of-', ''))
    return new Response(null, { status: 204 })
  }

  private diskCall(call: string, disk: FakeDisk, body: Record<string, unknown>) {
    const move = (from: string, to: string, work?: () => void) => {
      if (disk.state !== from) return failure(400, 'InvalidRequest')
      disk.state = to
      work?.()
      return new Response(null, { status: 204 })
    }
    switch (call) {
      case 'GET disk': {
        const { id, name, state } = disk
        const view = { id, name, time_created: TIME, state: { state } }
        // A transition is finished at the next request.
        if (disk.state === 'finalizing') disk.state = 'detached'
        return Response.json(view)
      }
      case 'POST disk/bulk-write-start':
        return move('import_ready', 'importing_from_bulk_writes')
      case 'POST disk/bulk-write':
        return move('importing_from_bulk_writes', 'importing_from_bulk_writes', () =>
          disk.written.push(Number(body['offset'])),
        )
      case 'POST disk/bulk-write-stop':
        return move('importing_from_bulk_writes', 'import_ready')
      case 'POST disk/finalize':
        return move('import_ready', 'finalizing', () => {
          const name = body['snapshot_name']
          if (name) this.snapshots.set(String(name), `id-of-${String(name)}`)
        })
      default:
        return move('detached', 'destroyed', () => this.disks.delete(disk.id))
    }
  }
}

/** An error in the format of the API. */
export const failure = (status: number, code: string) =>
  Response.json({ error_code: code, message: `no ${code}` }, { status })
