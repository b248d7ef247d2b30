import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { ReactNode, Ref } from 'react'

import {
  instanceActivityList,
  instanceDiskList,
  instanceSerialConsoleStream,
} from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { q } from '~/api/query'
import type { CallOptions } from '~/api/query'
import { ButtonLink } from '~/app/button-link'
import * as common from '~/messages/common'
import * as instanceText from '~/messages/instance'
import * as columns from '~/messages/instance-columns'
import * as text from '~/messages/instance-panel-screens'
import * as properties from '~/messages/instance-screens'
import * as shared from '~/messages/project-screens'
import { instanceGroups } from '~/resource/anti-affinity-queries'
import { reachableIps } from '~/resource/external-ips'
import { powerAction } from '~/resource/instance-actions'
import { activityBadge, activityHeadline } from '~/resource/instance-activity'
import { CpuCount, InstanceStateCell } from '~/resource/instance-cells'
import { PowerButton } from '~/resource/instance-power-button'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { ByteSize } from '~/ui/byte-size'
import { CopyButton } from '~/ui/copy-button'
import { DateTime, TimeAgo } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyCell } from '~/ui/empty-cell'
import { Link } from '~/ui/link'
import { PropertiesTable } from '~/ui/properties-table'
import { Skeleton } from '~/ui/skeleton'

import { externalIps, instanceQuery, networkInterfaces } from './$instance/-instance-queries'
import type { InstanceParams } from './$instance/-instance-queries'
import { InstanceTrouble } from './$instance/-instance-trouble'
import { InstanceListCell } from './-instance-list-cells'

interface InstancePanelProps {
  /** Name of the project. */
  project: string
  /** Name of the instance. */
  name: string
  ref: Ref<HTMLElement>
  onClose: () => void
}

/** The details of an instance beside the list. */
export function InstancePanel({ project, name, ref, onClose }: InstancePanelProps) {
  const params = { project, instance: name }
  const { data: instance, error } = useQuery({ ...instanceQuery(params), ...STAYS })
  return (
    <section
      ref={ref}
      tabIndex={-1}
      data-of={name}
      aria-label={text.panelLabel(name)}
      className="sticky top-5 mt-5 max-h-[calc(100dvh-var(--top-bar-height)-2.5rem)] w-108 shrink-0 overflow-y-auto rounded-md border border-line bg-raised p-4 focus-visible:-outline-offset-2"
    >
      <header className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 pt-1 text-lg font-semibold break-words">{name}</h2>
        <Button
          needs={null}
          variant="ghost"
          size="icon"
          aria-label={common.closeLabel}
          onPress={onClose}
        >
          <X aria-hidden="true" />
        </Button>
      </header>
      {instance && <Details key={name} project={project} instance={instance} />}
      {!instance && !error && <Skeleton className="mt-4 h-80 w-full" />}
      {!instance && error && <p className="mt-3 text-sm text-fg-muted">{text.goneText}</p>}
    </section>
  )
}

/** The instance may be deleted or renamed while the panel is open: what is missing then is no error of the screen. */
const STAYS = { throwOnError: false }

interface DetailsProps {
  project: string
  instance: Instance
}

function Details({ project, instance }: DetailsProps) {
  const path = `/projects/${project}/instances/${instance.name}`
  return (
    <>
      <div className="mt-2 mb-4 flex flex-wrap gap-2">
        {(['start', 'stop'] as const).map((verb) => (
          <PowerButton
            key={verb}
            variant="secondary"
            size="sm"
            action={powerAction(verb, POWER_LABELS[verb], instance, project)}
          />
        ))}
        <ButtonLink
          needs={instanceSerialConsoleStream}
          variant="secondary"
          size="sm"
          to={`${path}/serial-console`}
        >
          {text.serialConsoleLabel}
        </ButtonLink>
        <ButtonLink needs={null} variant="secondary" size="sm" to={`${path}/storage`}>
          {text.openLabel}
        </ButtonLink>
      </div>
      <InstanceTrouble project={project} instance={instance} />
      <PropertiesTable>
        <PropertiesTable.Row label={shared.stateColumnLabel}>
          <InstanceStateCell instance={instance} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label={properties.cpuPropertyLabel}>
          <CpuCount count={instance.ncpus} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label={properties.ramPropertyLabel}>
          <ByteSize bytes={instance.memory} />
        </PropertiesTable.Row>
        <Related project={project} instance={instance} path={path} />
        <PropertiesTable.Row label={common.descriptionLabel}>
          <DescriptionCell text={instance.description} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label={properties.hostnamePropertyLabel}>
          <span className="font-mono text-xs break-all">{instance.hostname}</span>
        </PropertiesTable.Row>
        <PropertiesTable.Row label={common.createdLabel}>
          <DateTime value={instance.timeCreated} />
        </PropertiesTable.Row>
        <PropertiesTable.Id id={instance.id} />
      </PropertiesTable>
    </>
  )
}

const POWER_LABELS = { start: instanceText.startLabel, stop: instanceText.stopLabel }

/** What belongs to the instance. */
function Related({ project, instance, path }: DetailsProps & { path: string }) {
  const params: InstanceParams = { project, instance: instance.name }
  const target = { path: { instance: instance.name }, query: { project } }
  return (
    <>
      <Fetched label={columns.externalIpsLabel} query={externalIps(params)}>
        {({ items }) => reachableIps(items).map(({ ip }) => <Ip key={ip} ip={ip} />)}
      </Fetched>
      <Fetched label={columns.privateIpsLabel} query={networkInterfaces(params)}>
        {({ items }) => items.map(({ id, ip }) => <Ip key={id} ip={ip} />)}
      </Fetched>
      <PropertiesTable.Row label={columns.networkLabel}>
        <InstanceListCell kind="network" instance={instance} project={project} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={columns.imageLabel}>
        <InstanceListCell kind="image" instance={instance} project={project} />
      </PropertiesTable.Row>
      <Fetched label={text.disksLabel} query={q(instanceDiskList, target)}>
        {({ items }) =>
          items.map(({ id, name, size }) => (
            <span key={id} className="flex w-full items-baseline justify-between gap-3">
              <PanelLink href={`/projects/${project}/disks/${name}`}>{name}</PanelLink>
              <ByteSize bytes={size} />
            </span>
          ))
        }
      </Fetched>
      <Fetched label={text.groupsLabel} query={instanceGroups(params)}>
        {({ items }) =>
          items.map(({ id, name }) => (
            <PanelLink key={id} href={`/projects/${project}/affinity/${name}`}>
              {name}
            </PanelLink>
          ))
        }
      </Fetched>
      <Fetched
        label={text.activityLabel}
        query={q(instanceActivityList, { ...target, query: { project, limit: 1 } })}
      >
        {({ items }) =>
          items.map((entry) => {
            const { title, tone } = activityBadge(entry)
            return (
              <span key={entry.id} className="py-1">
                <span className="mb-1 flex items-center gap-2 text-xs text-fg-subtle">
                  <Badge tone={tone}>{title}</Badge>
                  <TimeAgo value={entry.timeCreated} />
                </span>
                <PanelLink href={`${path}/activity`}>{activityHeadline(entry)}</PanelLink>
              </span>
            )
          })
        }
      </Fetched>
    </>
  )
}

interface FetchedProps<Data> {
  label: string
  query: CallOptions<Data>
  /** What is shown of it: elements, or none. */
  children: (data: Data) => ReactNode[]
}

/** A property that has a query of its own. Without anything to show, and if it cannot be read, it has a dash. */
function Fetched<Data>({ label, query, children }: FetchedProps<Data>) {
  const { data, error } = useQuery({ ...query, ...STAYS })
  const content = data === undefined ? [] : children(data)
  return (
    <PropertiesTable.Row label={label}>
      {content.length > 0 ? content : data || error ? <EmptyCell /> : <Skeleton />}
    </PropertiesTable.Row>
  )
}

const Ip = ({ ip }: { ip: string }) => (
  <span className="inline-flex w-full items-center gap-1 font-mono text-xs">
    {ip} <CopyButton value={ip} label={columns.copyIpLabel(ip)} />
  </span>
)

const PanelLink = ({ href, children }: { href: string; children: string }) => (
  <Link
    href={href}
    className="min-w-0 rounded-sm break-words underline decoration-line-strong underline-offset-3 hover:decoration-current"
  >
    {children}
  </Link>
)
