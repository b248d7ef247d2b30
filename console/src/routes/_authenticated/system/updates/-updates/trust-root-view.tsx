import { useQuery } from '@tanstack/react-query'

import { callForText } from '~/api/files'
import { systemUpdateTrustRootView } from '~/api/generated/operations'
import type { CallOptions } from '~/api/query'
import * as text from '~/messages/update-screens'
import { roleText } from '~/resource/trust-root'
import { CopyButton } from '~/ui/copy-button'
import { Dialog } from '~/ui/dialog'
import { Message } from '~/ui/message'
import { Spinner } from '~/ui/spinner'
import { TextBox } from '~/ui/text-box'

/** The role exactly as the server sent it. The usual client renames properties, and the result would no longer be what was signed. */
const storedRole = (trustRootId: string): CallOptions<string> => ({
  queryKey: [systemUpdateTrustRootView.name, { path: { trustRootId } }],
  queryFn: async ({ signal }) => {
    const input = { path: { trustRootId } }
    return roleText((await callForText(systemUpdateTrustRootView, input, { signal })).text)
  },
  throwOnError: () => false,
})

/** Shows a trusted root role with its signatures. */
export function TrustRootView({ id, onDismiss }: { id: string; onDismiss: () => void }) {
  const { data, error } = useQuery(storedRole(id))
  return (
    <Dialog
      title={text.rootRoleTitle}
      isOpen
      onDismiss={onDismiss}
      width="free"
      closeLabel={text.doneLabel}
      footer={data && <CopyButton value={data} label={text.copyJsonLabel} />}
    >
      {error && (
        <Message tone="danger" title={text.readRootRoleFailedTitle}>
          {error.message}
        </Message>
      )}
      {data === undefined && !error && <Spinner label={text.readingTheRootRoleLabel} />}
      {data && <TextBox label={text.rootRoleLabel} text={data} />}
    </Dialog>
  )
}
