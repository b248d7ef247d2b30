/** The question before a deletion. */

import type { ReactNode } from 'react'

export const deleteTitle = 'Confirm delete'

export const deleteKindTitle = {
  'access-token': 'Confirm delete access token',
  'alert-receiver': 'Confirm delete alert receiver',
  'anti-affinity-group': 'Confirm delete anti-affinity group',
  instance: 'Confirm delete instance',
  'identity-provider': 'Confirm delete identity provider',
  'ssh-key': 'Confirm delete SSH key',
  'support-bundle': 'Confirm delete support bundle',
  'trust-root': 'Confirm delete trust root',
  'webhook-secret': 'Confirm delete secret',
  user: 'Confirm delete user',
}

export const deleteQuestion = (thing: ReactNode) => <>Are you sure you want to delete {thing}?</>

export const deleteFailedTitle = 'Could not delete resource'
