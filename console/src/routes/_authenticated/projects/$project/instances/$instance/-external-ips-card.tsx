import { Globe } from 'lucide-react'
import { useMemo, useState } from 'react'

import { floatingIpAttach, instanceEphemeralIpAttach } from '~/api/generated/operations'
import type { ExternalIp, FloatingIp, Instance, SiloIpPool } from '~/api/generated/types.gen'
import { menuEntries } from '~/app/action-registry'
import * as common from '~/messages/common'
import * as text from '~/messages/instance-network-screens'
import { externalIpActions } from '~/resource/external-ip-actions'
import { ExternalIpLink } from '~/resource/external-ip-link'
import { externalIpKey, FLOATING_IPS_MAX, inIpOrder } from '~/resource/external-ips'
import { IpPoolName } from '~/resource/named-by-id'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { CardBlock } from '~/ui/card-block'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import { onDemand } from '~/ui/on-demand'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'
import { Tooltip } from '~/ui/tooltip'

const AttachEphemeralIp = onDemand(
  async () => (await import('./-attach-ephemeral-ip')).AttachEphemeralIp,
)
const AttachFloatingIp = onDemand(
  async () => (await import('./-attach-floating-ip')).AttachFloatingIp,
)

const noIps = <EmptyMessage icon={<Globe />} title={text.noIpsTitle} body={text.noIpsHelp} />

/** A dash for addresses without a name and description. */
function Nameless({ kind }: { kind: ExternalIp['kind'] }) {
  const reason = text.namelessText[kind]
  return (
    <Tooltip content={reason}>
      <span role="img" aria-label={reason} tabIndex={0} className="rounded-sm text-fg-subtle">
        —
      </span>
    </Tooltip>
  )
}

const columns = (project: string, pools: readonly SiloIpPool[]): Column<ExternalIp>[] => [
  {
    id: 'ip',
    header: text.ipColumnLabel,
    isName: true,
    minWidth: 164,
    cell: (row) => (
      <span className="flex flex-wrap items-center gap-x-2 py-1">
        <ExternalIpLink ip={row.ip} />
        {row.kind === 'snat' && <PortRange first={row.firstPort} last={row.lastPort} />}
      </span>
    ),
  },
  {
    id: 'kind',
    header: text.kindColumnLabel,
    tip: text.kindHelp,
    width: 110,
    isKey: true,
    cell: ({ kind }) => <Badge tone="neutral">{kind}</Badge>,
  },
  {
    id: 'pool',
    header: text.poolLabel,
    width: 120,
    cell: (row) => <IpPoolName id={row.ipPoolId} pools={pools} />,
  },
  {
    id: 'name',
    header: common.nameColumnLabel,
    width: 140,
    cell: (row) =>
      row.kind === 'floating' ? (
        <LinkCell href={`/projects/${project}/floating-ips/${row.name}/edit`}>{row.name}</LinkCell>
      ) : (
        <Nameless kind={row.kind} />
      ),
  },
  {
    id: 'description',
    header: common.descriptionColumnLabel,
    width: 240,
    cell: (row) =>
      row.kind === 'floating' ? (
        <DescriptionCell text={row.description} />
      ) : (
        <Nameless kind={row.kind} />
      ),
  },
]

function PortRange({ first, last }: { first: number; last: number }) {
  const range = `${first}–${last}`
  return (
    <Tooltip content={text.portsHelp}>
      <span role="img" aria-label={text.portsLabel(range)} tabIndex={0} className="flex rounded-sm">
        <Badge tone="neutral">{range}</Badge>
      </span>
    </Tooltip>
  )
}

interface ExternalIpsCardProps {
  project: string
  instance: Instance
  ips: readonly ExternalIp[]
  /** Whether the instance has a network interface. An ephemeral IP needs one. */
  hasInterface: boolean
  /** Every floating IP of the project. */
  floatingIps: readonly FloatingIp[]
  /** The pools that the project may take addresses from. */
  pools: readonly SiloIpPool[]
}

/** The external IPs of an instance. */
export function ExternalIpsCard(props: ExternalIpsCardProps) {
  const { project, instance, ips, hasInterface, pools } = props
  const [dialog, setDialog] = useState<'ephemeral' | 'floating'>()
  const close = () => setDialog(undefined)
  const free = props.floatingIps.filter(({ instanceId }) => !instanceId)
  const hasEphemeral = ips.some(({ kind }) => kind === 'ephemeral')
  return (
    <CardBlock
      title={text.externalIpsTitle}
      actions={
        <>
          {!hasEphemeral && hasInterface && (
            <Button
              needs={instanceEphemeralIpAttach}
              variant="secondary"
              size="sm"
              onPress={() => setDialog('ephemeral')}
            >
              {text.attachEphemeralLabel}
            </Button>
          )}
          <Button
            needs={floatingIpAttach}
            size="sm"
            disabledReason={floatingRefusal(ips, free)}
            onPress={() => setDialog('floating')}
          >
            {text.attachFloatingLabel}
          </Button>
        </>
      }
    >
      <Table
        label={text.externalIpsLabel}
        columns={useMemo(() => columns(project, pools), [project, pools])}
        rows={inIpOrder(ips)}
        rowKey={externalIpKey}
        rowActions={(ip) =>
          menuEntries(externalIpActions(ip, { project, instance: instance.name }))
        }
        emptyMessage={noIps}
      />
      {dialog === 'ephemeral' && (
        <AttachEphemeralIp
          project={project}
          instance={instance.name}
          pools={pools}
          onDismiss={close}
          onMissing={close}
        />
      )}
      {dialog === 'floating' && (
        <AttachFloatingIp
          instance={instance}
          floatingIps={free}
          onDismiss={close}
          onMissing={close}
        />
      )}
    </CardBlock>
  )
}

/** Why no floating IP can be attached; `undefined` if one can. */
function floatingRefusal(
  ips: readonly ExternalIp[],
  free: readonly FloatingIp[],
): string | undefined {
  const attached = ips.filter(({ kind }) => kind === 'floating').length
  if (attached >= FLOATING_IPS_MAX) {
    return text.tooManyFloatingIpsError(FLOATING_IPS_MAX)
  }
  return free.length === 0 ? text.noFloatingIpsError : undefined
}
