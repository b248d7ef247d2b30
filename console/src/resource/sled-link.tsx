import { shortId } from '~/lib/text'
import * as text from '~/messages/sled'
import { Link } from '~/ui/link'

import { SLEDS_PATH } from './system-paths'

/** A link to a sled, by its id. */
export const SledLink = ({ id }: { id: string }) => (
  <Link
    href={`${SLEDS_PATH}/${id}/instances`}
    aria-label={text.sledLabel(id)}
    className="rounded-sm font-mono text-xs text-fg underline decoration-line-strong underline-offset-3 hover:decoration-current"
  >
    {shortId(id)}
  </Link>
)
