import { useQuery } from '@tanstack/react-query'
import { Camera, HardDrive, Images } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMemo } from 'react'

import type { Outcome } from '~/api/call'
import {
  diskView,
  imageList,
  imageView,
  projectSiloImageList,
  snapshotView,
} from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { qOptional, qOutcome, useLoaded } from '~/api/query'
import type { CallOptions } from '~/api/query'
import { allows, permissionsOn } from '~/app/permissions'
import * as text from '~/messages/lineage'
import { Badge } from '~/ui/badge'
import { ByteSize } from '~/ui/byte-size'
import { CardBlock } from '~/ui/card-block'
import { cn } from '~/ui/class-names'
import { DateTime } from '~/ui/date-time'
import { Link } from '~/ui/link'
import { Skeleton } from '~/ui/skeleton'
import { Truncate } from '~/ui/truncate'

import { descendantsOf, diskThing, imageThing, snapshotThing, storedPath } from './lineage'
import type { Descendant, StoredKind, StoredRef, StoredThing } from './lineage'
import { disksOf, snapshotsOf } from './lineage-queries'

interface LineageCardProps {
  /** Name of the project whose disks and snapshots are searched. */
  project: string
  thing: StoredThing
}

/** What a disk, snapshot or image was created from, and what was created from it. The loader has loaded {@link disksOf} and {@link snapshotsOf}. */
export function LineageCard({ project, thing }: LineageCardProps) {
  const disks = useLoaded(disksOf(project))
  const snapshots = useLoaded(snapshotsOf(project))
  const things = useMemo(
    () => [...disks.items.map(diskThing), ...snapshots.items.map(snapshotThing)],
    [disks, snapshots],
  )
  const isCut = disks.items.length >= allItems || snapshots.items.length >= allItems
  const made = descendantsOf(thing, things)
  const { kind } = thing
  return (
    <CardBlock
      title={text.lineageTitle}
      footer={isCut ? text.cutText(allItems) : kind === 'snapshot' && text.imagesNotRecordedText}
    >
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-2">
        <Part title={text.sourcesLabel}>
          {thing.source ? (
            <ol>
              <Sources source={thing.source} project={project} known={things} />
            </ol>
          ) : (
            <Nothing>{text.noSourceText[kind]}</Nothing>
          )}
        </Part>
        <Part title={text.madeTitle[kind]}>
          {made.length > 0 ? (
            <Descendants made={made} project={project} />
          ) : (
            <Nothing>{text.nothingMadeText[kind]}</Nothing>
          )}
        </Part>
      </div>
    </CardBlock>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="min-w-0">
    <h3 className="mb-1.5 text-label text-fg-subtle">{title}</h3>
    {children}
  </div>
)

const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="py-1 text-sm text-fg-muted">{children}</p>
)

/** What was created from a thing; what was created from that in turn stands below it. */
export const Descendants = ({
  made,
  project,
  isNested = false,
}: {
  made: readonly Descendant[]
  project: string
  isNested?: boolean
}) => (
  <ul className={cn(isNested && 'ml-2 border-l border-line pl-4')}>
    {made.map(({ thing, made: further }) => (
      <li key={thing.id}>
        <Entry thing={thing} project={project} />
        {further.length > 0 && <Descendants made={further} project={project} isNested />}
      </li>
    ))}
  </ul>
)

interface SourcesProps {
  source: StoredRef
  project: string
  /** The disks and snapshots of the project. Others are fetched. */
  known: readonly StoredThing[]
}

/** Items of a list: where something came from, the first source first. */
function Sources(props: SourcesProps) {
  const { source, known } = props
  const thing = known.find(({ id }) => id === source.id)
  return thing ? <Source {...props} thing={thing} /> : <FetchedSource {...props} />
}

const Source = ({ thing, ...props }: SourcesProps & { thing: StoredThing }) => (
  <>
    {thing.source && <Sources {...props} source={thing.source} />}
    <li>
      <Entry thing={thing} project={props.project} />
    </li>
  </>
)

function FetchedSource(props: SourcesProps) {
  const { kind, id } = props.source
  switch (kind) {
    case 'disk':
      return (
        <Lookup
          {...props}
          lookup={qOutcome(diskView, { path: { disk: id } })}
          thingOf={diskThing}
        />
      )
    case 'snapshot':
      return (
        <Lookup
          {...props}
          lookup={qOutcome(snapshotView, { path: { snapshot: id } })}
          thingOf={snapshotThing}
        />
      )
    case 'image':
      return <ImageSource {...props} />
  }
}

/** Members of a project may list the images that it can use. The silo's may not be viewed by all of them. */
function ImageSource(props: SourcesProps) {
  const { source, project } = props
  const query = { project, limit: allItems }
  const own = useQuery(qOptional(imageList, { query }))
  const shared = useQuery(qOptional(projectSiloImageList, { query }))
  const images = [...(own.data?.items ?? []), ...(shared.data?.items ?? [])]
  const image = images.find(({ id }) => id === source.id)
  if (image) return <Source {...props} thing={imageThing(image)} />
  if (own.isPending || shared.isPending) return <Waiting />
  return (
    <Lookup
      {...props}
      lookup={qOutcome(imageView, { path: { image: source.id } })}
      thingOf={imageThing}
    />
  )
}

interface LookupProps<T> extends SourcesProps {
  lookup: CallOptions<Outcome<T>>
  thingOf: (answer: T) => StoredThing
}

function Lookup<T>({ lookup, thingOf, ...props }: LookupProps<T>) {
  const { data: outcome, error } = useQuery(lookup)
  const { source } = props
  if (!outcome && !error) return <Waiting />
  if (outcome?.type === 'success') return <Source {...props} thing={thingOf(outcome.data)} />
  const isDeleted = outcome?.data.statusCode === 404
  return (
    <li>
      <Line kind={source.kind}>
        <span className="text-fg-muted">
          {(isDeleted ? text.deletedText : text.notVisibleText)[source.kind]}
        </span>
        <span className="min-w-0 font-mono text-xs">
          <Truncate text={source.id} max={16} position="middle" copy />
        </span>
      </Line>
    </li>
  )
}

const Waiting = () => (
  <li className="py-2">
    <Skeleton />
  </li>
)

const ICONS = { disk: HardDrive, snapshot: Camera, image: Images }

function Line({ kind, children }: { kind: StoredKind; children: ReactNode }) {
  const Icon = ICONS[kind]
  return (
    <div className="flex min-h-9 items-center gap-2.5 py-1 text-sm">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-fg-subtle" />
      <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">{children}</div>
    </div>
  )
}

function Entry({ thing, project }: { thing: StoredThing; project: string }) {
  const { kind, projectId, size, timeCreated } = thing
  const isOfSilo = kind === 'image' && !projectId
  return (
    <Line kind={kind}>
      {isOfSilo ? (
        <SiloImageName thing={thing} project={project} />
      ) : (
        <NameLink thing={thing} project={project} />
      )}
      <Badge tone="neutral">{isOfSilo ? text.siloImageLabel : text.kindLabel[kind]}</Badge>
      <span className="text-fg-muted">
        <ByteSize bytes={size} />
      </span>
      <span className="text-fg-muted">
        <DateTime value={timeCreated} />
      </span>
    </Line>
  )
}

interface NameProps {
  thing: StoredThing
  project: string
}

const NameLink = ({ thing, project }: NameProps) => (
  <Link
    href={storedPath(thing, project)}
    className="min-w-0 rounded-sm break-all text-fg underline decoration-line-strong underline-offset-3 hover:decoration-current"
  >
    {thing.name}
  </Link>
)

/** The silo's screens are for those who may read them. */
function SiloImageName(props: NameProps) {
  const { data } = useQuery(permissionsOn({ on: 'silo' }))
  const mayOpen = data !== undefined && allows(data, imageList)
  return mayOpen ? <NameLink {...props} /> : <span className="break-all">{props.thing.name}</span>
}
