import { ChartColumn } from 'lucide-react'
import type { ComponentProps } from 'react'

import * as text from '~/messages/utilization'
import { PageHeader } from '~/ui/page-header'
import { RefreshControl } from '~/ui/refresh-control'

import { UtilizationBars } from './utilization-bars'
import { utilizationDocs } from './utilization-docs'

type UtilizationSummaryProps = ComponentProps<typeof UtilizationBars> &
  Pick<ComponentProps<typeof RefreshControl>, 'updatedAt' | 'onRefresh'>

/** The header of a page about utilization, and how much of the quota is provisioned. */
export const UtilizationSummary = ({
  updatedAt,
  onRefresh,
  ...amounts
}: UtilizationSummaryProps) => (
  <>
    <PageHeader
      icon={<ChartColumn />}
      title={text.utilizationTitle}
      docs={utilizationDocs}
      actions={<RefreshControl updatedAt={updatedAt} onRefresh={onRefresh} />}
    />
    <UtilizationBars {...amounts} />
  </>
)
