import type { Utilization } from '~/api/generated/types.gen'
import * as text from '~/messages/overview'
import { Link } from '~/ui/link'

import { NoQuotaHint } from './no-quota-hint'
import { UtilizationBars } from './utilization-bars'

/** What is provisioned of the silo's quota. */
export const QuotaSection = ({ usage: { provisioned, capacity } }: { usage: Utilization }) => (
  <section aria-label={text.quotaTitle} className="space-y-3">
    <h2 className="text-base font-semibold">{text.quotaTitle}</h2>
    <NoQuotaHint capacity={capacity} />
    <UtilizationBars
      provisioned={provisioned}
      capacity={capacity}
      capacityLabel={text.quotaLabel}
    />
    <p className="text-sm">
      <Link
        href="/utilization"
        className="rounded-sm text-accent-text underline decoration-accent-border underline-offset-3 hover:decoration-current"
      >
        {text.utilizationLabel}
      </Link>
    </p>
  </section>
)
