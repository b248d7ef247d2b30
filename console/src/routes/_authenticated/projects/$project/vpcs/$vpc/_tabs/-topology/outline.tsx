import type { ReactNode } from 'react'

import * as text from '~/messages/topology-screens'
import { Button } from '~/ui/button'
import { Link } from '~/ui/link'

import type { InstanceNode, SubnetNode, Topology, TopologyNode } from './graph'

interface OutlineProps {
  topology: Topology
  /** Expands the instances of a subnet. */
  onUnfold: (subnetId: string) => void
}

/** The content of the diagram as nested lists. */
export function Outline({ topology, onUnfold }: OutlineProps) {
  const { gateways, routers, subnets, furtherSubnets, edges } = topology
  const titles = new Map([...gateways, ...routers, ...subnets].map(({ id, title }) => [id, title]))
  const connectedTo = (id: string) =>
    edges.filter(({ from }) => from === id).flatMap(({ to }) => titles.get(to) ?? [])
  return (
    <div className="space-y-6">
      <Part heading={text.gatewaysTitle} none={text.noGatewaysText}>
        {gateways.map((node) => (
          <Entry
            key={node.id}
            node={node}
            connected={connected(text.targetOfRoutesText, connectedTo(node.id))}
          />
        ))}
      </Part>
      <Part heading={text.routersTitle} none={text.noRoutersText}>
        {routers.map((node) => (
          <Entry
            key={node.id}
            node={node}
            connected={connected(text.usedByText, connectedTo(node.id))}
          />
        ))}
      </Part>
      <Part heading={text.subnetsTitle} none={text.noSubnetsText}>
        {subnets.map((node) => (
          <Entry key={node.id} node={node}>
            <Instances subnet={node} onUnfold={onUnfold} />
          </Entry>
        ))}
        {furtherSubnets.count > 0 && (
          <li>
            <NodeLink href={furtherSubnets.href}>
              {text.furtherSubnetsLabel(furtherSubnets.count)}
            </NodeLink>
          </li>
        )}
      </Part>
    </div>
  )
}

const connected = (message: (titles: readonly string[]) => string, titles: readonly string[]) =>
  titles.length > 0 ? message(titles) : undefined

function Part({
  heading,
  none,
  children,
}: {
  heading: string
  none: string
  children: ReactNode[]
}) {
  return (
    <section>
      <h2 className="mb-2 text-base font-semibold">{heading}</h2>
      {children.flat().some(Boolean) ? (
        <ul className="space-y-2">{children}</ul>
      ) : (
        <p className="text-sm text-fg-muted">{none}</p>
      )}
    </section>
  )
}

const NESTED = 'mt-2 ml-1 space-y-2 border-l border-line-strong pl-3'

interface EntryProps {
  node: TopologyNode
  /** The nodes that it is connected to. */
  connected?: string
  children?: ReactNode
}

function Entry({ node, connected, children }: EntryProps) {
  return (
    <li className="text-sm">
      <NodeLink href={node.href}>{node.title}</NodeLink>
      <span className="ml-2 text-xs text-fg-subtle">{node.kind}</span>
      {node.lines.length > 0 && (
        <span className="block font-mono text-xs break-words text-fg-muted">
          {node.lines.join(', ')}
        </span>
      )}
      {connected && <span className="block text-xs text-fg-muted">{connected}</span>}
      {children}
    </li>
  )
}

function Instances({ subnet, onUnfold }: { subnet: SubnetNode; onUnfold: (id: string) => void }) {
  const { instances, foldedInstances } = subnet
  if (foldedInstances > 0) {
    return (
      <div className="mt-2">
        <Button
          needs={null}
          variant="secondary"
          size="sm"
          onPress={() => onUnfold(subnet.subnetId)}
        >
          {text.showInstancesLabel(foldedInstances)}
        </Button>
      </div>
    )
  }
  if (instances.length === 0) return null
  return (
    <ul className={NESTED}>
      {instances.map((instance) => (
        <Entry key={instance.id} node={instance}>
          <Addresses instance={instance} />
        </Entry>
      ))}
    </ul>
  )
}

function Addresses({ instance: { addresses } }: { instance: InstanceNode }) {
  if (addresses.length === 0) return null
  return (
    <ul className={NESTED}>
      {addresses.map((address) => (
        <Entry key={address.id} node={address} />
      ))}
    </ul>
  )
}

const NodeLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link
    href={href}
    className="rounded-sm font-medium text-fg underline decoration-line-strong underline-offset-3 hover:decoration-current"
  >
    {children}
  </Link>
)
