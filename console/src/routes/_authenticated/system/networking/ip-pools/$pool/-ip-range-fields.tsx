import { useFormState } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'

import { compareIps, parseIp, validateIp } from '~/lib/ip'
import type { IpVersion } from '~/lib/ip'
import { TextFieldWithRules } from '~/ui/form/text-field'
import { Message } from '~/ui/message'

/** The ends of a range of addresses as they are typed. */
export interface IpRangeValues {
  first: string
  last: string
}

const VERSIONS: Record<IpVersion, string> = { v4: 'IPv4', v6: 'IPv6' }

/** Why an address cannot be the last of a range, if it cannot. What is wrong with the first is said there. */
function lastProblem(last: string, { first }: IpRangeValues): string | undefined {
  const [from, to] = [parseIp(first), parseIp(last)]
  if (to.type === 'error') return to.message
  if (from.type === 'error') return undefined
  if (from.type !== to.type) return `Must be an ${VERSIONS[from.type]} address, like the first one`
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
        Both addresses belong to the range and must have the same IP version. The first address must
        not be higher than the last.
      </Message>
      <TextFieldWithRules
        name="first"
        control={control}
        required
        isCode
        help="First address in the range"
        rules={{ isEmpty, check: validateIp, checksEmpty: true }}
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
