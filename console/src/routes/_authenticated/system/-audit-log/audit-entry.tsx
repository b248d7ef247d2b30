import { ScrollText } from 'lucide-react'
import { Link } from 'react-aria-components/Link'

import type { AuditLogEntry } from '~/api/generated/types.gen'
import { useSession } from '~/app/session'
import { formatDateTime } from '~/lib/dates'
import { AuditActor } from '~/resource/audit-actor'
import { actorId } from '~/resource/audit-log'
import { resourcePath } from '~/resource/audit-resource'
import { AuditResultBadge } from '~/resource/audit-result-badge'
import { CopyButton } from '~/ui/copy-button'
import { EmptyCell } from '~/ui/empty-cell'
import { Message } from '~/ui/message'
import { PropertiesTable } from '~/ui/properties-table'
import { SideModal } from '~/ui/side-modal'
import { Truncate } from '~/ui/truncate'

const METHODS: Record<string, string> = {
  session_cookie: 'Browser session',
  token: 'Access token',
}

/** Everything that is known of one entry. */
export function AuditEntry({ entry, onDismiss }: { entry: AuditLogEntry; onDismiss: () => void }) {
  const { siloId } = useSession().me
  const { result, timeStarted, timeCompleted, authMethod, requestUri } = entry
  const path = resourcePath(entry, siloId)
  const actor = actorId(entry)
  return (
    <SideModal
      title="Audit log entry"
      subtitle={
        <>
          <ScrollText aria-hidden="true" />
          {entry.operationId}
        </>
      }
      onDismiss={onDismiss}
      isDirty={false}
    >
      <div className="space-y-4">
        {result.kind === 'error' && (
          <Message tone="danger" title={result.errorCode ?? 'Error'}>
            {result.errorMessage}
          </Message>
        )}
        {result.kind === 'unknown' && (
          <Message tone="notice">
            The server stopped before it could record the result. The operation may or may not have
            been completed.
          </Message>
        )}
        <PropertiesTable>
          <PropertiesTable.Row label="Result">
            <AuditResultBadge result={result} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Completed">
            <Moment value={timeCompleted} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Duration">
            <span className="tabular">{timeCompleted.getTime() - timeStarted.getTime()} ms</span>
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Actor">
            <AuditActor actor={entry.actor} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Actor ID">
            {actor ? <Code text={actor} /> : <EmptyCell />}
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Authentication">
            {authMethod ? (METHODS[authMethod] ?? authMethod) : <EmptyCell />}
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Request">
            <span className="min-w-0 font-mono text-xs break-all">{requestUri}</span>
            <CopyButton value={requestUri} label="Copy request" />
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Request ID">
            <Code text={entry.requestId} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Source">
            <span className="font-mono text-xs">{entry.sourceIp}</span>
          </PropertiesTable.Row>
          <PropertiesTable.Row label="User agent">
            {entry.userAgent ? (
              <span className="min-w-0 text-xs break-words">{entry.userAgent}</span>
            ) : (
              <EmptyCell />
            )}
          </PropertiesTable.Row>
          <PropertiesTable.Row label="ID">
            <Code text={entry.id} />
          </PropertiesTable.Row>
        </PropertiesTable>
        {path && (
          <Link
            href={path}
            className="inline-block rounded-sm text-sm text-accent-text underline decoration-accent-border underline-offset-3 hover:decoration-current"
          >
            Open the resource
          </Link>
        )}
      </div>
    </SideModal>
  )
}

const Moment = ({ value }: { value: Date }) => (
  <time dateTime={value.toISOString()} className="tabular">
    {formatDateTime(value)}
  </time>
)

const Code = ({ text }: { text: string }) => (
  <span className="min-w-0 font-mono text-xs">
    <Truncate text={text} max={32} position="middle" copy />
  </span>
)
