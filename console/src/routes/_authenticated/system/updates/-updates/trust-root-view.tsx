import { useQuery } from '@tanstack/react-query'

import { callForText } from '~/api/files'
import { systemUpdateTrustRootView } from '~/api/generated/operations'
import type { CallOptions } from '~/api/query'
import { roleText } from '~/resource/trust-root'
import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { Dialog } from '~/ui/dialog'
import { Message } from '~/ui/message'
import { Spinner } from '~/ui/spinner'
import { TextBox } from '~/ui/text-box'

/** The role as it was sent. Answers that are read as usual have other names in them, which are not what was signed. */
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
      title="Root role"
      isOpen
      onDismiss={onDismiss}
      width="free"
      footer={
        <>
          {data && <CopyButton value={data} label="Copy JSON" />}
          <Button needs={null} size="sm" onPress={onDismiss}>
            Done
          </Button>
        </>
      }
    >
      {error && (
        <Message tone="danger" title="Could not read the root role">
          {error.message}
        </Message>
      )}
      {data === undefined && !error && <Spinner label="Reading the root role" />}
      {data && <TextBox label="Root role" text={data} />}
    </Dialog>
  )
}
