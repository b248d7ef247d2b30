import { useQuery } from '@tanstack/react-query'
import { useRef, type ReactNode } from 'react'

import { diskView, imageView } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { q, qOutcome } from '~/api/query'
import type { CallOptions } from '~/api/query'
import { atMost } from '~/lib/at-most'
import * as text from '~/messages/instance-columns'
import { cpuPercents, projectCpuTimes } from '~/resource/cpu-use'
import type { CpuTimesById } from '~/resource/cpu-use'
import { reachableIps } from '~/resource/external-ips'
import { instanceCan } from '~/resource/instance-state'
import { SubnetName, VpcName } from '~/resource/named-by-id'
import { ScreenPicture } from '~/resource/screen-picture'
import { CopyButton } from '~/ui/copy-button'
import { EmptyCell } from '~/ui/empty-cell'
import { ListPlus } from '~/ui/list-plus'
import { OverflowText } from '~/ui/overflow-text'
import { Skeleton } from '~/ui/skeleton'
import { Sparkline } from '~/ui/sparkline'
import { useIsOnScreen } from '~/ui/use-is-on-screen'

import { externalIps, networkInterfaces } from './$instance/-instance-queries'

/** What a column of the list shows beyond what the list itself says of an instance. */
export type InstanceCellKind =
  | 'privateIps'
  | 'externalIps'
  | 'image'
  | 'network'
  | 'cpuUse'
  | 'screen'

interface CellProps {
  instance: Instance
  /** Name of the project. */
  project: string
}

const CELLS: Record<InstanceCellKind, (props: CellProps) => ReactNode> = {
  privateIps: PrivateIps,
  externalIps: ExternalIps,
  image: BootImage,
  network: Network,
  cpuUse: CpuUse,
  screen: Screen,
}

/** A cell with what has to be fetched for it. */
export function InstanceListCell({ kind, ...props }: CellProps & { kind: InstanceCellKind }) {
  const Cell = CELLS[kind]
  return <Cell {...props} />
}

/** What rows ask for waits for one another, so that a long list does not hold up everything else. */
const inTurn = atMost(4)

/** Milliseconds for which an answer counts as fresh; events say when it is not. */
const FRESH = 60_000

interface FetchedProps<Data> {
  query: CallOptions<Data>
  children: (data: Data) => ReactNode
}

/** What is fetched for one row, once the row is on the screen. */
function Fetched<Data>({ query, children }: FetchedProps<Data>) {
  const place = useRef<HTMLSpanElement>(null)
  const isOnScreen = useIsOnScreen(place)
  const { data, error } = useQuery({
    ...query,
    queryFn: (context) => inTurn(() => query.queryFn(context), context.signal),
    enabled: isOnScreen,
    staleTime: FRESH,
    // The instance may be deleted while the list is open. Its row then shows a dash.
    throwOnError: false,
  })
  return (
    <span ref={place} className="flex min-w-0 items-center">
      {data === undefined ? error ? <EmptyCell /> : <Skeleton /> : children(data)}
    </span>
  )
}

const interfacesOf = ({ instance, project }: CellProps) =>
  networkInterfaces({ project, instance: instance.name })

function PrivateIps(props: CellProps) {
  return (
    <Fetched query={interfacesOf(props)}>
      {({ items }) => (
        <Addresses
          ips={items
            .toSorted((one, other) => Number(other.primary) - Number(one.primary))
            .map(({ ip }) => ip)}
        />
      )}
    </Fetched>
  )
}

function ExternalIps({ instance, project }: CellProps) {
  return (
    <Fetched query={externalIps({ project, instance: instance.name })}>
      {({ items }) => <Addresses ips={reachableIps(items).map(({ ip }) => ip)} />}
    </Fetched>
  )
}

const Addresses = ({ ips }: { ips: readonly string[] }) => (
  <ListPlus title={text.otherIpsTitle}>
    {ips.map((ip) => (
      <span key={ip} className="inline-flex min-w-0 items-center gap-1 font-mono text-xs">
        <OverflowText text={ip} />
        <CopyButton value={ip} label={text.copyIpLabel(ip)} />
      </span>
    ))}
  </ListPlus>
)

function Network(props: CellProps) {
  return (
    <Fetched query={interfacesOf(props)}>
      {({ items }) => {
        const primary = items.find((each) => each.primary)
        if (!primary) return <EmptyCell />
        return (
          <span className="flex min-w-0 items-center gap-1">
            <VpcName id={primary.vpcId} project={props.project} />
            <span aria-hidden="true" className="text-fg-subtle">
              /
            </span>
            <SubnetName id={primary.subnetId} />
          </span>
        )
      }}
    </Fetched>
  )
}

function BootImage({ instance: { bootDiskId } }: CellProps) {
  if (!bootDiskId) return <EmptyCell />
  return (
    <Fetched query={q(diskView, { path: { disk: bootDiskId } })}>
      {({ imageId }) => (imageId ? <ImageName id={imageId} /> : <EmptyCell />)}
    </Fetched>
  )
}

const ImageName = ({ id }: { id: string }) => (
  <Fetched query={qOutcome(imageView, { path: { image: id } })}>
    {(image) =>
      image.type === 'success' ? <OverflowText text={image.data.name} /> : <EmptyCell />
    }
  </Fetched>
)

/** Milliseconds from one picture of a row to the next. */
const PICTURE_INTERVAL = 30_000

function Screen({ instance, project }: CellProps) {
  if (!instanceCan('serialConsole', instance)) return <EmptyCell />
  return (
    <div className="rounded-xs h-7 w-14 overflow-hidden border border-line">
      <ScreenPicture instance={instance} project={project} interval={PICTURE_INTERVAL} />
    </div>
  )
}

function CpuUse({ instance: { id, ncpus }, project }: CellProps) {
  const { data, isPending } = useQuery({
    ...projectCpuTimes(project),
    // An object for all, but each cell is rendered when its own line is another.
    select: (all: CpuTimesById) => all[id] ?? [],
  })
  if (isPending) return <Skeleton />
  const percents = cpuPercents(data ?? [], ncpus)
  const known = percents.filter((percent) => percent !== null)
  if (known.length === 0) return <EmptyCell />
  const now = Math.round(percents.at(-1) ?? known.at(-1) ?? 0)
  const most = Math.round(Math.max(...known))
  return (
    <span className="flex items-center gap-2">
      <Sparkline label={text.cpuUseText(now, most)} values={percents} />
      <span aria-hidden="true" className="font-mono text-xs tabular">
        {text.percentText(now)}
      </span>
    </span>
  )
}
