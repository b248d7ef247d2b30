import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { vpcCreate, vpcList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { usableAddresses } from '~/lib/ip-block'
import { isOverlapping } from '~/lib/ip-overlap'
import { formatInteger } from '~/lib/numbers'
import * as text from '~/messages/network-summary-screens'
import { Fact, Facts, FormSummary, SummarySection } from '~/resource/form-summary'
import { validateIpv6Prefix } from '~/resource/vpc-form'
import type { VpcFormValues } from '~/resource/vpc-form'

/** The subnet that every VPC begins with. */
const FIRST_SUBNET = '172.30.0.0/22'
/** How many blocks of a subnet a VPC's prefix has: a /48 in parts of /64. */
const SUBNETS = 2 ** 16

interface VpcSummaryProps {
  project: string
  control: Control<VpcFormValues>
}

/** What a new VPC begins with. */
export function VpcSummary({ project, control }: VpcSummaryProps) {
  const values = useWatch({ control }) as VpcFormValues
  const prefix = values.ipv6Prefix.trim()
  const isPrefix = prefix !== '' && validateIpv6Prefix(prefix) === undefined
  const { data } = useQuery(q(vpcList, { query: { project, limit: allItems } }))
  const other = isPrefix
    ? data?.items.find(({ ipv6Prefix }) => isOverlapping(ipv6Prefix, prefix))
    : undefined
  return (
    <FormSummary needs={vpcCreate}>
      <Facts>
        <Fact label={text.dnsNameLabel} isCode>
          {values.dnsName}
        </Fact>
        <Fact label={text.prefixLabel} isCode={isPrefix}>
          {isPrefix ? prefix : prefix === '' && text.randomPrefixText}
        </Fact>
        <Fact label={text.subnetsLabel}>{formatInteger(SUBNETS)}</Fact>
      </Facts>
      {other && <p className="text-notice-text">{text.sharedPrefixText(other.name)}</p>}
      <SummarySection title={text.comesWithTitle}>
        <Facts>
          <Fact label={text.subnetLabel} isCode>
            {`default, ${FIRST_SUBNET}`}
          </Fact>
          <Fact label={text.usableLabel}>{formatInteger(usableAddresses(FIRST_SUBNET) ?? 0)}</Fact>
          <Fact label={text.routerLabel}>{text.routerText}</Fact>
          <Fact label={text.letsInLabel}>{text.letsInText}</Fact>
        </Facts>
      </SummarySection>
    </FormSummary>
  )
}
