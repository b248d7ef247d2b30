import type { Control } from 'react-hook-form'

import type { IpPoolCreate } from '~/api/generated/types.gen'
import * as text from '~/messages/ip-pool'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { Message } from '~/ui/message'

/** The fields of an IP pool, for creating and editing. */
export function IpPoolFields({ control }: { control: Control<IpPoolCreate> }) {
  return (
    <>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <Message tone="info">{text.visibilityHelp}</Message>
    </>
  )
}
