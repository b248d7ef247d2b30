import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Braces } from 'lucide-react'
import { useMemo } from 'react'

import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/explorer-screens'
import { EmptyMessage } from '~/ui/empty-message'
import { Link } from '~/ui/link'
import { PageHeader } from '~/ui/page-header'

import { openApiDocuments } from './-explorer/document-query'
import { groupDocuments } from './-explorer/openapi'
import { OperationList } from './-explorer/operation-list'
import { OperationView } from './-explorer/operation-view'
import { DocumentContext } from './-explorer/schema-view'

interface ExplorerSearch {
  /** Operation id, as in the document. */
  operation?: string
}

export const Route = createFileRoute('/_authenticated/_silo/explorer')({
  validateSearch: ({ operation }: Record<string, unknown>): ExplorerSearch =>
    typeof operation === 'string' ? { operation } : {},
  loader: ({ context }) => context.queryClient.ensureQueryData(openApiDocuments),
  staticData: { crumb: { label: crumbs.apiExplorerLabel } },
  component: ExplorerPage,
})

function ExplorerPage() {
  const { operation: selected } = Route.useSearch()
  const { data: documents } = useSuspenseQuery(openApiDocuments)
  const groups = useMemo(() => groupDocuments(documents), [documents])
  const operation = groups.flatMap(({ operations }) => operations).find(({ id }) => id === selected)
  return (
    <DocumentContext value={operation?.document ?? documents.contract}>
      <PageHeader
        icon={<Braces />}
        title={text.apiExplorerTitle}
        actions={
          <p className="text-sm text-fg-muted">
            {text.versionText(documents.contract.info.version)}
          </p>
        }
      />
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[18rem_minmax(0,1fr)]">
        <div className={operation ? 'max-lg:hidden' : undefined}>
          <OperationList groups={groups} selected={operation?.id} />
        </div>
        {operation ? (
          <div>
            <Link
              href="/explorer"
              className="mb-4 inline-block text-sm text-accent-text underline underline-offset-3 lg:hidden"
            >
              {text.allOperationsLabel}
            </Link>
            <OperationView key={operation.id} operation={operation} />
          </div>
        ) : (
          <div className="max-lg:order-first">
            <EmptyMessage
              icon={<Braces />}
              title={selected ? text.unknownOperationTitle : text.selectOperationTitle}
              body={text.selectOperationHelp}
            />
          </div>
        )}
      </div>
    </DocumentContext>
  )
}
