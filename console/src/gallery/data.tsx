import { Specimen } from '~/gallery/specimen'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { PropertiesTable } from '~/ui/properties-table'
import { Status } from '~/ui/status'
import { Truncate } from '~/ui/truncate'

const created = new Date(Date.UTC(2025, 1, 28, 12))

/** Facts about one thing. */
export function Data() {
  return (
    <Specimen title="Properties table">
      <PropertiesTable columns={2}>
        <PropertiesTable.Row label="CPU">2 vCPUs</PropertiesTable.Row>
        <PropertiesTable.Row label="Status">
          <Status tone="success">running</Status>
        </PropertiesTable.Row>
        <PropertiesTable.Row label="RAM">
          <ByteSize bytes={4 * 2 ** 30} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label="ID">
          <Truncate text="5c56b522-c9b8-49e4-9f9a-8d52a89ec3e0" max={32} position="middle" copy />
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Created">
          <DateTime value={created} />
        </PropertiesTable.Row>
      </PropertiesTable>
    </Specimen>
  )
}
