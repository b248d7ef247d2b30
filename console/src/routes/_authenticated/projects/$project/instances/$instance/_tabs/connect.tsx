import { createFileRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import {
  instanceGraphicalConsoleStream,
  instanceSerialConsoleStream,
} from '~/api/generated/operations'
import { load, useLoaded } from '~/api/query'
import { ButtonLink } from '~/app/button-link'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/serial-console-screens'
import { preferredIp } from '~/resource/external-ips'
import { CardBlock } from '~/ui/card-block'

import { CliCommand } from '../-cli-command'
import { externalIps } from '../-instance-queries'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/connect',
)({
  loader: ({ context, params }) => load(context.queryClient, externalIps(params)),
  staticData: { crumb: { label: crumbs.connectLabel } },
  component: ConnectTab,
})

function ConnectTab() {
  const params = Route.useParams()
  const { items } = useLoaded(externalIps(params))
  const ip = preferredIp(items)
  const base = `/projects/${params.project}/instances/${params.instance}`
  return (
    <div className="max-w-[740px] space-y-6">
      <CardBlock
        title={text.consoleTitle}
        description={text.consoleHelp}
        actions={
          <>
            <CliCommand {...params} />
            <ButtonLink needs={instanceSerialConsoleStream} to={`${base}/serial-console`} size="sm">
              {text.connectLabel}
            </ButtonLink>
          </>
        }
      />
      <CardBlock
        title={text.graphicalConsoleTitle}
        description={text.graphicalConsoleHelp}
        actions={
          <ButtonLink
            needs={instanceGraphicalConsoleStream}
            to={`${base}/graphical-console`}
            size="sm"
            variant="secondary"
          >
            {text.openScreenLabel}
          </ButtonLink>
        }
      />
      <CardBlock title={text.sshTitle} description={text.sshHelp}>
        <p className="text-sm">{text.sshText(<Code>{text.sshCommandText(ip)}</Code>)}</p>
        {!ip && (
          <p className="mt-2 text-sm text-fg-muted">{text.noAddressText(`${base}/networking`)}</p>
        )}
      </CardBlock>
    </div>
  )
}

const Code = ({ children }: { children: ReactNode }) => (
  <code className="rounded-sm border border-line bg-sunken px-1 py-0.5 font-mono text-xs break-all">
    {children}
  </code>
)
