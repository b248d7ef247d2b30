import { currentUserSshKeyList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { qOutcome } from '~/api/query'

/** The person's own SSH keys, for selection. A form works without them and shows the error. */
export const ownSshKeys = qOutcome(currentUserSshKeyList, { query: { limit: allItems } })
