import { useQuery } from '@tanstack/react-query'
import { use } from 'react'

import type { ResourceLabel } from '~/api/generated/types.gen'
import { labelsOfRow } from '~/resource/label-batch'
import type { LabelPlace } from '~/resource/label-batch'
import { LabelChips } from '~/resource/label-chips'
import { NavigateContext } from '~/ui/navigate-context'

import { LabelSelection } from './list-labels'

interface LabelsCellProps extends LabelPlace {
  id: string
  /** Path of the list. */
  path: string
}

const NONE: readonly ResourceLabel[] = []

/** The labels of a row of a list. Each filters the list. */
export function LabelsCell({ id, path, ...place }: LabelsCellProps) {
  const select = use(LabelSelection)
  const { data } = useQuery(labelsOfRow(place, id))
  if (data === undefined) return null
  // The list is on the screen already.
  const filter = (href: string) =>
    select?.(new URL(href, window.location.href).searchParams.get('label') ?? '')
  return (
    <NavigateContext value={filter}>
      <LabelChips labels={data?.labels ?? NONE} path={path} isInCell />
    </NavigateContext>
  )
}
