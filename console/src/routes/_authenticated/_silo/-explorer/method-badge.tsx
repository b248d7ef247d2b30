import { Badge } from '~/ui/badge'

const tones = { GET: 'info', POST: 'accent', PUT: 'notice', DELETE: 'danger' } as const

/** The HTTP method of an operation. */
export function MethodBadge({ method }: { method: string }) {
  return <Badge tone={tones[method as keyof typeof tones] ?? 'neutral'}>{method}</Badge>
}
