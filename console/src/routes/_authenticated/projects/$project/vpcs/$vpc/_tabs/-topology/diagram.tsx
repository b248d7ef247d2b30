import { ChevronsUpDown } from 'lucide-react'
import { useMemo, useState } from 'react'

import * as text from '~/messages/topology-screens'
import { cn } from '~/ui/class-names'
import { Link } from '~/ui/link'
import { PressButton } from '~/ui/press-button'

import type { Topology, TopologyNode } from './graph'
import { foldId, layoutTopology } from './layout'
import type { PlacedEdge, PlacedFold, PlacedNode } from './layout'

interface DiagramProps {
  topology: Topology
  /** Expands the instances of a subnet. */
  onUnfold: (subnetId: string) => void
}

/** The VPC as a diagram. The node under the pointer or with the focus is highlighted together with its neighbors. */
export function Diagram({ topology, onUnfold }: DiagramProps) {
  const layout = useMemo(() => layoutTopology(topology), [topology])
  const [active, setActive] = useState<string>()
  const near = useMemo(() => neighbours(layout.edges, active), [layout, active])
  const { furtherSubnets } = topology
  return (
    <div className="overflow-x-auto rounded-md border border-line bg-chrome p-4">
      <div
        role="group"
        aria-label={text.diagramLabel}
        className="relative"
        style={{ width: layout.width, height: layout.height }}
      >
        {layout.columns.map(({ label, x }) => (
          <div key={label} className="absolute top-0 text-label text-fg-subtle" style={{ left: x }}>
            {label}
          </div>
        ))}
        <svg
          aria-hidden="true"
          width={layout.width}
          height={layout.height}
          className="pointer-events-none absolute inset-0 fill-none"
        >
          {layout.edges.map((edge) => (
            <Edge key={`${edge.from} ${edge.to}`} edge={edge} isLit={isLit(edge, active)} />
          ))}
        </svg>
        {layout.nodes.map((placed) => (
          <Node
            key={placed.node.id}
            placed={placed}
            isDim={active !== undefined && !near.has(placed.node.id)}
            onActive={setActive}
          />
        ))}
        {layout.folds.map((fold) => (
          <Fold key={fold.subnet.id} fold={fold} onUnfold={onUnfold} />
        ))}
        {furtherSubnets.count > 0 && (
          <Link
            href={furtherSubnets.href}
            className="absolute text-sm text-accent-text underline underline-offset-3"
            style={boxStyle(layout.further)}
          >
            {text.furtherSubnetsLabel(furtherSubnets.count)}
          </Link>
        )}
      </div>
    </div>
  )
}

const isLit = ({ from, to }: PlacedEdge, active: string | undefined) =>
  active !== undefined && (from === active || to === active)

function neighbours(edges: readonly PlacedEdge[], active: string | undefined): Set<string> {
  const connected = edges.filter((edge) => isLit(edge, active))
  return new Set(connected.flatMap(({ from, to }) => [from, to]).concat(active ?? []))
}

const boxStyle = ({ x, y, width, height }: Omit<PlacedNode, 'node'>) => ({
  left: x,
  top: y,
  width,
  height,
})

function Edge({ edge, isLit: lit }: { edge: PlacedEdge; isLit: boolean }) {
  return (
    <path
      d={edge.path}
      strokeDasharray={edge.isFallback ? '4 4' : undefined}
      strokeWidth={lit ? 2 : 1.25}
      className={lit ? 'stroke-accent-solid' : 'stroke-line-control'}
    />
  )
}

interface NodeProps {
  placed: PlacedNode
  isDim: boolean
  onActive: (id: string | undefined) => void
}

function Node({ placed, isDim, onActive }: NodeProps) {
  const { node } = placed
  const end = () => onActive(undefined)
  return (
    <Link
      href={node.href}
      aria-label={nodeText(node)}
      onHoverStart={() => onActive(node.id)}
      onHoverEnd={end}
      onFocus={() => onActive(node.id)}
      onBlur={end}
      style={boxStyle(placed)}
      className={cn(
        'absolute flex flex-col rounded-md border bg-raised px-3 py-2 hover:border-accent-solid',
        isDim ? 'border-line' : 'border-line-strong',
      )}
    >
      <span className="truncate text-sm leading-5 font-medium text-fg">{node.title}</span>
      {node.lines.map((line) => (
        <span
          key={line}
          title={line}
          className="truncate font-mono text-[11px] leading-4 text-fg-muted"
        >
          {line}
        </span>
      ))}
    </Link>
  )
}

/** Describes a node to assistive technology. */
export const nodeText = ({ kind, title, lines }: TopologyNode) => text.nodeText(kind, title, lines)

function Fold({ fold, onUnfold }: { fold: PlacedFold; onUnfold: (subnetId: string) => void }) {
  const { subnet } = fold
  return (
    <PressButton
      key={foldId(subnet)}
      aria-label={text.showInstancesOfLabel(subnet.foldedInstances, subnet.title)}
      onPress={() => onUnfold(subnet.subnetId)}
      style={boxStyle(fold)}
      className="absolute flex items-center gap-2 rounded-md border border-dashed border-line-control bg-raised px-3 text-sm text-fg hover:bg-hover"
    >
      <ChevronsUpDown aria-hidden="true" className="size-4 text-fg-subtle" />
      {text.foldedInstancesLabel(subnet.foldedInstances)}
    </PressButton>
  )
}
