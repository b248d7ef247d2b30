import { Database, Folder, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'

import { Row, Specimen } from '~/gallery/specimen'
import { Badge } from '~/ui/badge'
import { BigNumber } from '~/ui/big-number'
import { Button } from '~/ui/button'
import { ByteSize } from '~/ui/byte-size'
import { CommandPalette, type PaletteGroup } from '~/ui/command-palette'
import { DateTime, TimeAgo } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { LinkCell } from '~/ui/link-cell'
import { ListPlus } from '~/ui/list-plus'
import { Pagination } from '~/ui/pagination'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

interface Disk {
  id: string
  name: string
  state: string
  size: number
  description: string
  created: Date
  ports: string[]
}

const disks: Disk[] = Array.from({ length: 12 }, (_, index) => ({
  id: `5c56b522-c9b8-49e4-9f9a-8d52a89e${1000 + index}`,
  name:
    index === 2
      ? `a-name-that-uses-all-sixty-three-characters-${'x'.repeat(19)}`
      : `disk-${index + 1}`,
  state: index % 3 === 0 ? 'attached' : 'detached',
  size: (index + 1) * 2 ** 31,
  description:
    index % 4 === 1 ? 'Keeps the orders of the shop, and a copy of everything from last year' : '',
  created: new Date(2025, index, 1 + index, 9, 30),
  ports: ['22', '80', '443'].slice(0, index % 4),
}))

const columns: Column<Disk>[] = [
  {
    id: 'name',
    header: 'name',
    isName: true,
    cell: (disk) => <LinkCell href="#table-shell">{disk.name}</LinkCell>,
  },
  { id: 'state', header: 'state', width: 120, cell: (disk) => <Badge>{disk.state}</Badge> },
  {
    id: 'size',
    header: 'size',
    width: 100,
    align: 'end',
    cell: (disk) => <ByteSize bytes={disk.size} />,
  },
  { id: 'id', header: 'id', width: 150, cell: (disk) => disk.id },
  {
    id: 'ports',
    header: 'ports',
    width: 110,
    cell: (disk) => (
      <ListPlus title="Other ports">
        {disk.ports.map((port) => (
          <Badge key={port}>{port}</Badge>
        ))}
      </ListPlus>
    ),
  },
  {
    id: 'description',
    header: 'description',
    width: 240,
    cell: (disk) => <DescriptionCell text={disk.description} />,
  },
  {
    id: 'created',
    header: 'created',
    width: 170,
    cell: (disk) => <DateTime value={disk.created} />,
  },
]

/** The table with everything on, polling for new rows every second. */
export function TableShell() {
  const [rows, setRows] = useState(disks)
  useEffect(() => {
    const timer = setInterval(() => setRows((before) => before.map((disk) => ({ ...disk }))), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Specimen title="Table shell">
      <Table
        label="Disks"
        columns={columns}
        rows={rows}
        rowKey={(disk) => disk.id}
        rowActions={(disk) => [
          { id: 'snapshot', label: 'Snapshot' },
          {
            id: 'delete',
            label: 'Delete',
            destructive: true,
            disabledReason:
              disk.state === 'attached'
                ? 'Disk must be detached before it can be deleted'
                : undefined,
          },
        ]}
      />
      <Pagination
        pageSize={50}
        hasPrevious={false}
        hasNext
        loading
        onPrevious={() => undefined}
        onNext={() => undefined}
      />
    </Specimen>
  )
}

const groupedColumns: Column<Disk>[] = [
  ...columns.slice(0, 2),
  { id: 'cpu', header: 'cpu', group: 'Provisioned', align: 'end', cell: () => 12 },
  {
    id: 'memory',
    header: 'memory',
    group: 'Provisioned',
    align: 'end',
    cell: () => <BigNumber value={2n ** 70n} />,
  },
]

/** Other states of the table. */
export function TableStates() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set([disks[1]?.id ?? '']))
  return (
    <Specimen title="Table states">
      <Table
        label="Loading disks"
        columns={columns}
        rows={[]}
        rowKey={() => ''}
        isLoading
        skeletonRows={3}
      />
      <Table
        label="Empty disks"
        columns={columns}
        rows={[]}
        rowKey={() => ''}
        emptyMessage={<span className="text-fg-muted">No disks</span>}
      />
      <Table
        label="Chosen disks"
        columns={groupedColumns}
        rows={disks.slice(0, 3)}
        rowKey={(disk) => disk.id}
        rowHeight="large"
        selection={{ mode: 'multiple', selected, onChange: setSelected }}
      />
      <Row label="Time ago">
        <TimeAgo value={disks[0]?.created ?? new Date(0)} caption="Created" />
      </Row>
    </Specimen>
  )
}

const groups: PaletteGroup[] = [
  {
    heading: 'Actions',
    items: [{ id: 'new', label: 'New disk', icon: Plus, shortcut: 'n', onSelect: () => undefined }],
  },
  {
    heading: 'Go to disk',
    items: disks.map(({ id, name }) => ({
      id,
      label: name,
      icon: Database,
      onSelect: () => undefined,
    })),
  },
  {
    heading: "Project 'web-shop'",
    items: ['Instances', 'Disks', 'Snapshots'].map((label) => ({
      id: label,
      label,
      icon: Folder,
      onSelect: () => undefined,
    })),
  },
]

/** The palette, opened by a button. */
export function PaletteShell() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Specimen title="Palette">
      <Row>
        <Button needs={null} variant="secondary" onPress={() => setIsOpen(true)}>
          Jump to
        </Button>
      </Row>
      <CommandPalette groups={groups} isOpen={isOpen} onDismiss={() => setIsOpen(false)} />
    </Specimen>
  )
}
