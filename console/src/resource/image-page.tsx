import { Images } from 'lucide-react'
import type { ReactNode } from 'react'

import type { Image } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { ActionsMenu, useActionsOf } from '~/app/actions-menu'
import * as common from '~/messages/common'
import * as text from '~/messages/image'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyCell } from '~/ui/empty-cell'
import { PageHeader } from '~/ui/page-header'
import { PropertiesTable } from '~/ui/properties-table'
import { Truncate } from '~/ui/truncate'

import { imageDocs } from './image-docs'

interface ImagePageProps {
  image: Image
  actions: readonly Action[]
  /** Its lineage, and dialogs. */
  children: ReactNode
}

/** The page of an image of a project or of the silo. */
export function ImagePage({ image, actions, children }: ImagePageProps) {
  useActionsOf(text.imageActionsGroupLabel(image.name), actions)
  return (
    <>
      <PageHeader
        icon={<Images />}
        title={image.name}
        docs={imageDocs}
        actions={<ActionsMenu label={text.imageActionsLabel} id={image.id} actions={actions} />}
      />
      <div className="space-y-6">
        <ImageProperties image={image} />
        {children}
      </div>
    </>
  )
}

const ImageProperties = ({ image }: { image: Image }) => (
  <PropertiesTable columns={2}>
    <PropertiesTable.Row label={text.sharedWithLabel}>
      {image.projectId ? text.sharedWithProjectLabel : text.sharedWithSiloLabel}
    </PropertiesTable.Row>
    <PropertiesTable.Row label={common.sizeLabel}>
      <ByteSize bytes={image.size} />
    </PropertiesTable.Row>
    <PropertiesTable.Row label={text.osLabel}>{image.os || <EmptyCell />}</PropertiesTable.Row>
    <PropertiesTable.Row label={text.versionLabel}>
      {image.version || <EmptyCell />}
    </PropertiesTable.Row>
    <PropertiesTable.Row label={common.descriptionLabel}>
      <DescriptionCell text={image.description} />
    </PropertiesTable.Row>
    <PropertiesTable.Row label={text.blockSizeLabel}>
      <ByteSize bytes={image.blockSize} />
    </PropertiesTable.Row>
    <PropertiesTable.Id id={image.id} />
    <PropertiesTable.Row label={common.createdLabel}>
      <DateTime value={image.timeCreated} />
    </PropertiesTable.Row>
    {image.digest && (
      <PropertiesTable.Row label={text.digestLabel}>
        <span className="min-w-0 font-mono text-xs">
          <Truncate text={image.digest.value} max={32} position="middle" copy />
        </span>
      </PropertiesTable.Row>
    )}
    <PropertiesTable.Row label={common.updatedLabel}>
      <DateTime value={image.timeModified} />
    </PropertiesTable.Row>
  </PropertiesTable>
)
