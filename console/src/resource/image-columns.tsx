import type { Image } from '~/api/generated/types.gen'
import * as text from '~/messages/image'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { LinkCell } from '~/ui/link-cell'
import type { Column } from '~/ui/table-column'

/**
 * Columns of a list of images.
 *
 * @param base path of the owner of the images: empty for the silo, `/projects/{project}` for a project.
 */
export const imageColumns = (base: string): Column<Image>[] => [
  {
    id: 'name',
    header: text.nameColumnLabel,
    isName: true,
    cell: ({ name }) => <LinkCell href={`${base}/images/${name}/edit`}>{name}</LinkCell>,
  },
  {
    id: 'description',
    header: text.descriptionColumnLabel,
    width: 320,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'size',
    header: text.sizeColumnLabel,
    width: 110,
    cell: ({ size }) => <ByteSize bytes={size} />,
  },
  {
    id: 'created',
    header: text.createdColumnLabel,
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]
