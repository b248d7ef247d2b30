import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { vpcSubnetCreate, vpcView } from '~/api/generated/operations'
import type { VpcSubnet } from '~/api/generated/types.gen'
import { q } from '~/api/query'
import { isPrivateBlock, isWithin, usableAddresses } from '~/lib/ip-block'
import { isOverlapping } from '~/lib/ip-overlap'
import { formatInteger } from '~/lib/numbers'
import * as text from '~/messages/network-summary-screens'
import { Fact, Facts, FormSummary } from '~/resource/form-summary'
import type { VpcParams } from '~/resource/vpc-path'
import { vpcSubnets } from '~/resource/vpc-queries'
import { validateBlock } from '~/resource/vpc-subnet-form'
import type { SubnetFormValues } from '~/resource/vpc-subnet-form'

interface SubnetSummaryProps {
  vpc: VpcParams
  control: Control<SubnetFormValues>
}

/** The addresses of a new subnet, and with which others its blocks would overlap. */
export function SubnetSummary({ vpc, control }: SubnetSummaryProps) {
  const values = useWatch({ control }) as SubnetFormValues
  const { data } = useQuery({ ...vpcSubnets(vpc), throwOnError: false })
  const prefix = usePrefix(vpc)
  const v4 = blockOf(values.ipv4Block, 'v4')
  const v6 = blockOf(values.ipv6Block, 'v6')
  const usable = usableAddresses(v4)
  const isBlank = values.ipv6Block.trim() === ''
  const free = prefix === undefined ? text.freeBlockText : text.freeBlockOfText(prefix)
  return (
    <FormSummary
      needs={vpcSubnetCreate}
      problems={[
        v4 && !isPrivateBlock(v4) ? text.notPrivateError : undefined,
        v6 && prefix && !isPart(v6, prefix) ? text.notInPrefixError(prefix) : undefined,
        ...[v4, v6].map((block) => overlapProblem(block, data?.items ?? [])),
      ]}
    >
      <Facts>
        <Fact label={text.ipv4Label} isCode>
          {v4}
        </Fact>
        <Fact label={text.usableLabel} isWrong={usable === 0}>
          {usable !== undefined && formatInteger(usable)}
        </Fact>
        <Fact label={text.ipv6Label} isCode={v6 !== ''}>
          {isBlank ? free : v6}
        </Fact>
      </Facts>
      <p className="text-fg-muted">
        {usable !== undefined && `${text.reservedHelp} `}
        {text.blocksFixedHelp}
      </p>
    </FormSummary>
  )
}

/** What is entered, or nothing as long as it is no network of that version. */
const blockOf = (entered: string, version: 'v4' | 'v6'): string =>
  validateBlock(entered, version) === undefined ? entered.trim() : ''

const isPart = (block: string, prefix: string) => block.endsWith('/64') && isWithin(block, prefix)

function overlapProblem(block: string, subnets: readonly VpcSubnet[]): string | undefined {
  for (const { name, ipv4Block, ipv6Block } of subnets) {
    const taken = [ipv4Block, ipv6Block].find((each) => isOverlapping(each, block))
    if (taken) return text.overlapError(block, name, taken)
  }
  return undefined
}

/** The IPv6 prefix of the VPC, which the frame of its screens has loaded. */
function usePrefix({ project, vpc }: VpcParams): string | undefined {
  const { data } = useQuery(q(vpcView, { path: { vpc }, query: { project } }))
  return data?.ipv6Prefix
}
