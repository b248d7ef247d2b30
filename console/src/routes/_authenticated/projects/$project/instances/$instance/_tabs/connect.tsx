import { createFileRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'

import { instanceSerialConsoleStream } from '~/api/generated/operations'
import { load, useLoaded } from '~/api/query'
import { ButtonLink } from '~/app/button-link'
import { preferredIp } from '~/resource/external-ips'
import { CardBlock } from '~/ui/card-block'

import { CliCommand } from '../-cli-command'
import { externalIps } from '../-instance-network'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/connect',
)({
  loader: ({ context, params }) => load(context.queryClient, externalIps(params)),
  staticData: { crumb: { label: 'Connect' } },
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
        title="Serial console"
        description="Connect to the instance’s serial port. This works without a network."
        actions={
          <>
            <CliCommand {...params} />
            <ButtonLink needs={instanceSerialConsoleStream} to={`${base}/serial-console`} size="sm">
              Connect
            </ButtonLink>
          </>
        }
      />
      <CardBlock
        title="SSH"
        description="Log in over the network with one of the SSH keys that the instance was created with."
      >
        <p className="text-sm">
          If the instance accepts SSH, connect with{' '}
          <Code>ssh [username]@{ip ?? '[external IP]'}</Code>
        </p>
        {!ip && (
          <p className="mt-2 text-sm text-fg-muted">
            This instance has no external IP address. You can add one on the{' '}
            <Link
              href={`${base}/networking`}
              className="rounded-sm text-accent-text underline decoration-accent-border underline-offset-2 hover:decoration-current"
            >
              networking
            </Link>{' '}
            tab.
          </p>
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
