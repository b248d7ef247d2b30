import type { Image } from '~/api/generated/types.gen'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { LinkCell } from '~/ui/link-cell'
import type { Column } from '~/ui/table-column'

/**
 * Columns of a list of images.
 *
 * @param base path of what the images belong to: empty for the silo, `/projects/{project}` for a project.
 */
export const imageColumns = (base: string): Column<Image>[] => [
  {
    id: 'name',
    header: 'name',
    isName: true,
    cell: ({ name }) => <LinkCell href={`${base}/images/${name}/edit`}>{name}</LinkCell>,
  },
  {
    id: 'description',
    header: 'description',
    width: 320,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  { id: 'size', header: 'size', width: 110, cell: ({ size }) => <ByteSize bytes={size} /> },
  {
    id: 'created',
    header: 'created',
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]
