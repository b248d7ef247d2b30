import { currentUserSshKeyList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { qOutcome } from '~/api/query'

/** The person's own SSH keys, for pickers. A form that cannot read them says so and works without. */
export const ownSshKeys = qOutcome(currentUserSshKeyList, { query: { limit: allItems } })
