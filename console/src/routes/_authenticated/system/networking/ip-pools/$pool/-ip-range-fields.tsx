import { useFormState } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'

import { compareIps, parseIp } from '~/lib/ip'
import { TextFieldWithRules } from '~/ui/form/text-field'
import { Message } from '~/ui/message'

/** The ends of a range of addresses as they are typed. */
export interface IpRangeValues {
  first: string
  last: string
}

/** Why an address cannot be an end of a range, if it cannot. */
function addressProblem(address: string): string | undefined {
  const parsed = parseIp(address)
  if (parsed.type === 'error') return parsed.message
  return parsed.type === 'v6' ? 'IPv6 ranges are not yet supported' : undefined
}

/** Why an address cannot be the last of a range, if it cannot. */
function lastProblem(last: string, { first }: IpRangeValues): string | undefined {
  const problem = addressProblem(last)
  if (problem || addressProblem(first)) return problem
  return compareIps(first, last) > 0 ? 'Must not be lower than the first address' : undefined
}

const isEmpty = (text: string) => text === ''

/** The first and the last address of a range. */
export function IpRangeFields({
  form: { control, trigger },
}: {
  form: UseFormReturn<IpRangeValues>
}) {
  const { isSubmitted } = useFormState({ control })
  return (
    <>
      <Message tone="info">
        Only IPv4 ranges are supported. Both ends belong to the range; the first address must not be
        higher than the last.
      </Message>
      <TextFieldWithRules
        name="first"
        control={control}
        required
        isCode
        help="First address in the range"
        rules={{ isEmpty, check: addressProblem, checksEmpty: true }}
        // Whether the last address is lower depends on this one, too.
        onChange={() => isSubmitted && void trigger('last')}
      />
      <TextFieldWithRules
        name="last"
        control={control}
        required
        isCode
        help="Last address in the range"
        rules={{ isEmpty, check: lastProblem, checksEmpty: true }}
      />
    </>
  )
}
