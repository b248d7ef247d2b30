import { ScrollText } from 'lucide-react'

import type { AuditLogEntry } from '~/api/generated/types.gen'
import { useSession } from '~/app/session'
import * as text from '~/messages/audit-log-screens'
import * as common from '~/messages/common'
import { AuditActor } from '~/resource/audit-actor'
import { actorId } from '~/resource/audit-log'
import { resourcePath } from '~/resource/audit-resource'
import { AuditResultBadge } from '~/resource/audit-result-badge'
import { CopyButton } from '~/ui/copy-button'
import { ExactTime } from '~/ui/date-time'
import { EmptyCell } from '~/ui/empty-cell'
import { Link } from '~/ui/link'
import { Message } from '~/ui/message'
import { PropertiesTable } from '~/ui/properties-table'
import { SideModal } from '~/ui/side-modal'
import { Truncate } from '~/ui/truncate'

/** All details of one entry. */
export function AuditEntry({ entry, onDismiss }: { entry: AuditLogEntry; onDismiss: () => void }) {
  const { siloId } = useSession().me
  const { result, timeStarted, timeCompleted, authMethod, requestUri } = entry
  const path = resourcePath(entry, siloId)
  const actor = actorId(entry)
  return (
    <SideModal
      title={text.auditLogEntryTitle}
      subject={{ icon: ScrollText, name: entry.operationId }}
      onDismiss={onDismiss}
      isDirty={false}
    >
      <div className="space-y-4">
        {result.kind === 'error' && (
          <Message tone="danger" title={result.errorCode ?? common.errorTitle}>
            {result.errorMessage}
          </Message>
        )}
        {result.kind === 'unknown' && <Message tone="notice">{text.resultUnknownHelp}</Message>}
        <PropertiesTable>
          <PropertiesTable.Row label={text.resultLabel}>
            <AuditResultBadge result={result} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.completedLabel}>
            <ExactTime value={timeCompleted} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.durationLabel}>
            <span className="tabular">
              {text.durationText(timeCompleted.getTime() - timeStarted.getTime())}
            </span>
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.actorLabel}>
            <AuditActor actor={entry.actor} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.actorIdLabel}>
            {actor ? <Code text={actor} /> : <EmptyCell />}
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.authenticationLabel}>
            {authMethod ? (
              (text.authenticationMethodLabel[authMethod] ?? authMethod)
            ) : (
              <EmptyCell />
            )}
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.requestLabel}>
            <span className="min-w-0 font-mono text-xs break-all">{requestUri}</span>
            <CopyButton value={requestUri} label={text.copyRequestLabel} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.requestIdLabel}>
            <Code text={entry.requestId} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.sourceLabel}>
            <span className="font-mono text-xs">{entry.sourceIp}</span>
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.userAgentLabel}>
            {entry.userAgent ? (
              <span className="min-w-0 text-xs break-words">{entry.userAgent}</span>
            ) : (
              <EmptyCell />
            )}
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.idLabel}>
            <Code text={entry.id} />
          </PropertiesTable.Row>
        </PropertiesTable>
        {path && (
          <Link
            href={path}
            className="inline-block rounded-sm text-sm text-accent-text underline decoration-accent-border underline-offset-3 hover:decoration-current"
          >
            {text.openTheResourceLabel}
          </Link>
        )}
      </div>
    </SideModal>
  )
}

const Code = ({ text }: { text: string }) => (
  <span className="min-w-0 font-mono text-xs">
    <Truncate text={text} max={32} position="middle" copy />
  </span>
)
