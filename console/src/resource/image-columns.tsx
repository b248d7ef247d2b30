import type { Image } from '~/api/generated/types.gen'
import * as text from '~/messages/image'
import { ByteSize } from '~/ui/byte-size'
import type { Column } from '~/ui/table-column'

import { createdColumn, descriptionColumn, nameColumn } from './list-columns'

/**
 * Columns of a list of images.
 *
 * @param base path of the owner of the images: empty for the silo, `/projects/{project}` for a project.
 */
export const imageColumns = (base: string): Column<Image>[] => [
  nameColumn(({ name }) => `${base}/images/${name}/edit`),
  descriptionColumn(),
  {
    id: 'size',
    filter: { by: 'size' },
    header: text.sizeColumnLabel,
    width: 110,
    value: ({ size }) => size,
    cell: ({ size }) => <ByteSize bytes={size} />,
  },
  {
    id: 'os',
    header: text.osLabel,
    width: 140,
    usualFrom: Infinity,
    filter: {},
    value: ({ os }) => os,
    cell: ({ os }) => os,
  },
  createdColumn(),
]
