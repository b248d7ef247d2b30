import { useFormState } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'

import { compareIps, parseIp, validateIp } from '~/lib/ip'
import * as text from '~/messages/ip-pool-screens'
import { TextFieldWithRules } from '~/ui/form/text-field'
import { Message } from '~/ui/message'

/** The first and last address of a range, as entered. */
export interface IpRangeValues {
  first: string
  last: string
}

/** Why an address cannot be the last of a range. Errors in the first address are shown at its own field. */
function lastProblem(last: string, { first }: IpRangeValues): string | undefined {
  const [from, to] = [parseIp(first), parseIp(last)]
  if (to.type === 'error') return to.message
  if (from.type === 'error') return undefined
  if (from.type !== to.type) return text.lastAddressVersionError[from.type]
  return compareIps(first, last) > 0 ? text.lastAddressTooLowError : undefined
}

const isEmpty = (value: string) => value === ''

/** The first and the last address of a range. */
export function IpRangeFields({
  form: { control, trigger },
}: {
  form: UseFormReturn<IpRangeValues>
}) {
  const { isSubmitted } = useFormState({ control })
  return (
    <>
      <Message tone="info">{text.rangeHelp}</Message>
      <TextFieldWithRules
        name="first"
        control={control}
        required
        isCode
        help={text.firstAddressHelp}
        rules={{ isEmpty, check: validateIp, checksEmpty: true }}
        // The rule for the last address depends on this one.
        onChange={() => isSubmitted && void trigger('last')}
      />
      <TextFieldWithRules
        name="last"
        control={control}
        required
        isCode
        help={text.lastAddressHelp}
        rules={{ isEmpty, check: lastProblem, checksEmpty: true }}
      />
    </>
  )
}
