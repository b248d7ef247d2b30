/** The parts of a call that triggers look at. */
export interface Call {
  method: string
  path: string
  /** The JSON that was sent. */
  body?: string
}

/** What a trigger answers instead of the core. */
export interface Failure {
  status: number
  /** The error body of the API; absent for an answer with a status alone. */
  message?: string
  code?: string
}

interface Trigger {
  method: string
  /** The first group is the name or id of what the call is about, if the name is in the path. */
  path: RegExp
  /** The name that makes the call fail. */
  name: RegExp
  /** The field of the body that has the name, if the path has not. */
  field?: string
  failure: Failure
}

/** The names that make a call fail (`docs/rules/console/shell-and-account.md#failures-on-purpose`). */
const TRIGGERS: Trigger[] = [
  {
    method: 'GET',
    path: /^\/v1\/projects\/([^/]+)$/,
    name: /error-503$/,
    failure: { status: 503 },
  },
  {
    method: 'GET',
    path: /^\/v1\/projects\/([^/]+)$/,
    name: /error-403$/,
    failure: { status: 403 },
  },
  {
    method: 'POST',
    path: /^\/v1\/disks$/,
    name: /^disk-create-500$/,
    field: 'name',
    failure: { status: 500 },
  },
  {
    method: 'POST',
    path: /^\/v1\/disks\/([^/]+)\/bulk-write-start$/,
    name: /^import-start-500$/,
    failure: { status: 500 },
  },
  {
    method: 'POST',
    path: /^\/v1\/disks\/([^/]+)\/bulk-write-stop$/,
    name: /^import-stop-500$/,
    failure: { status: 500 },
  },
  {
    method: 'POST',
    path: /^\/v1\/disks\/([^/]+)\/finalize$/,
    name: /^disk-finalize-500$/,
    failure: { status: 500 },
  },
  {
    method: 'POST',
    path: /^\/v1\/snapshots$/,
    name: /^disk-snapshot-error$/,
    field: 'disk',
    failure: { status: 400, message: 'Cannot snapshot disk' },
  },
  {
    method: 'DELETE',
    path: /^\/v1\/snapshots\/([^/]+)$/,
    name: /^delete-500$/,
    failure: { status: 500 },
  },
  {
    method: 'POST',
    path: /^\/v1\/instances$/,
    name: /^no-default-pool$/,
    field: 'name',
    failure: {
      status: 404,
      code: 'ObjectNotFound',
      message: 'not found: default IP pool for current silo',
    },
  },
]

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The failure that a name asks for, if one does.
 *
 * @param nameOf answers the name of what a path shows, for calls that give an id.
 */
export async function triggeredFailure(
  call: Call,
  nameOf: (path: string) => Promise<string | undefined>,
): Promise<Failure | undefined> {
  const possible = TRIGGERS.filter(
    ({ method, path }) => method === call.method && path.test(call.path),
  )
  const [first] = possible
  if (!first) return undefined
  const name = first.field ? sent(call.body, first.field) : await named(first.path, call, nameOf)
  return possible.find((trigger) => name !== undefined && trigger.name.test(name))?.failure
}

async function named(
  pattern: RegExp,
  { path }: Call,
  nameOf: (path: string) => Promise<string | undefined>,
) {
  const given = decodeURIComponent(pattern.exec(path)?.[1] ?? '')
  // The thing itself is what the path names before any action.
  return ID.test(given) ? nameOf(path.split('/').slice(0, 4).join('/')) : given
}

function sent(body: string | undefined, field: string): string | undefined {
  const parsed = body ? (JSON.parse(body) as Record<string, unknown>) : {}
  return typeof parsed[field] === 'string' ? parsed[field] : undefined
}

/** The answer of a trigger, as a server would give it. */
export function failureResponse({ status, message, code }: Failure): Response {
  if (message === undefined) return new Response(null, { status })
  return Response.json({ message, error_code: code, request_id: crypto.randomUUID() }, { status })
}
