import * as text from '~/messages/topology-screens'

import type { SubnetNode, Topology, TopologyEdge, TopologyNode } from './graph'

/** A node with its position in pixels from the top left corner of the diagram. */
export interface PlacedNode extends Box {
  node: TopologyNode
}

/** The number of collapsed instances, at the position where they expand. */
export interface PlacedFold extends Box {
  subnet: SubnetNode
}

/** A line with its path. */
export interface PlacedEdge extends TopologyEdge {
  /** The path in SVG syntax. */
  path: string
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The positions of all parts of the diagram. */
export interface TopologyLayout {
  width: number
  height: number
  columns: readonly { label: string; x: number }[]
  nodes: readonly PlacedNode[]
  folds: readonly PlacedFold[]
  edges: readonly PlacedEdge[]
  /** The position of the link to further subnets. */
  further: Box
}

/** The columns: from the outside of the VPC inwards, and out again on the other side. */
export const COLUMNS = [
  text.gatewaysTitle,
  text.routersTitle,
  text.subnetsTitle,
  text.instancesTitle,
  text.externalAddressesTitle,
] as const

const NODE_WIDTH = 190
const COLUMN_GAP = 44
const ROW_GAP = 12
const HEADING_HEIGHT = 30
/** Height of a node's padding and title. */
const NODE_HEIGHT = 38
const LINE_HEIGHT = 16
const FOLD_HEIGHT = 36

const columnX = (column: number) => column * (NODE_WIDTH + COLUMN_GAP)

const heightOf = ({ lines }: TopologyNode) => NODE_HEIGHT + lines.length * LINE_HEIGHT

const boxAt = (column: number, y: number, height: number): Box => ({
  x: columnX(column),
  y,
  width: NODE_WIDTH,
  height,
})

/**
 * Arranges a VPC in five columns. The children of a node are placed to its right, from its top downwards, so that the first instance
 * of a subnet is beside the subnet.
 */
export function layoutTopology(topology: Topology): TopologyLayout {
  const nodes: PlacedNode[] = []
  const folds: PlacedFold[] = []

  /** Places a node and, to its right, its children. Returns where the next node of the column can start. */
  const place = (
    node: TopologyNode,
    column: number,
    top: number,
    placeParts: (top: number) => number = () => top,
  ): number => {
    const height = heightOf(node)
    nodes.push({ node, ...boxAt(column, top, height) })
    return Math.max(top + height + ROW_GAP, placeParts(top))
  }
  const stack = <N>(parts: readonly N[], top: number, placeOne: (part: N, top: number) => number) =>
    parts.reduce((next, part) => placeOne(part, next), top)

  const gatewaysEnd = stack(topology.gateways, HEADING_HEIGHT, (node, y) => place(node, 0, y))
  const routersEnd = stack(topology.routers, HEADING_HEIGHT, (node, y) => place(node, 1, y))
  const subnetsEnd = stack(topology.subnets, HEADING_HEIGHT, (subnet, y) =>
    place(subnet, 2, y, (top) => {
      if (subnet.foldedInstances > 0) folds.push({ subnet, ...boxAt(3, top, FOLD_HEIGHT) })
      return stack(subnet.instances, top, (instance, instanceTop) =>
        place(instance, 3, instanceTop, (addressTop) =>
          stack(instance.addresses, addressTop, (address, each) => place(address, 4, each)),
        ),
      )
    }),
  )
  const further = boxAt(2, subnetsEnd, topology.furtherSubnets.count > 0 ? FOLD_HEIGHT : 0)
  const end = Math.max(gatewaysEnd, routersEnd, subnetsEnd + further.height)
  return {
    width: columnX(COLUMNS.length - 1) + NODE_WIDTH,
    height: Math.max(end, HEADING_HEIGHT + NODE_HEIGHT),
    columns: COLUMNS.map((label, column) => ({ label, x: columnX(column) })),
    nodes,
    folds,
    edges: placeEdges(topology, nodes, folds),
    further,
  }
}

function placeEdges(
  { edges }: Topology,
  nodes: readonly PlacedNode[],
  folds: readonly PlacedFold[],
): PlacedEdge[] {
  const boxes = new Map<string, Box>(nodes.map((placed) => [placed.node.id, placed]))
  const between = edges.flatMap((edge) => {
    const from = boxes.get(edge.from)
    const to = boxes.get(edge.to)
    return from && to ? [{ ...edge, path: pathBetween(from, to) }] : []
  })
  const toFolds = folds.flatMap((fold) => {
    const from = boxes.get(fold.subnet.id)
    return from
      ? [{ from: fold.subnet.id, to: foldId(fold.subnet), path: pathBetween(from, fold) }]
      : []
  })
  return [...between, ...toFolds]
}

/** Id of the number of collapsed instances. */
export const foldId = ({ id }: SubnetNode) => `fold-${id}`

/** Lines start and end beside the title of a node, so that lines between aligned nodes are straight. */
const PORT = 18

function pathBetween(from: Box, to: Box): string {
  const startX = from.x + from.width
  const startY = from.y + PORT
  const endY = to.y + Math.min(PORT, to.height / 2)
  const bend = (to.x - startX) / 2
  return `M ${startX} ${startY} C ${startX + bend} ${startY}, ${to.x - bend} ${endY}, ${to.x} ${endY}`
}
