import { useForm, useWatch } from 'react-hook-form'

import { parsePortRange, validatePortRange } from '~/lib/port-range'
import * as text from '~/messages/firewall-rule-screens'
import { MAX_RULE_PARTS } from '~/resource/firewall-rule'
import { MiniTable } from '~/ui/form/mini-table'
import { entryAdder, SubForm } from '~/ui/form/sub-form'
import { TextField } from '~/ui/form/text-field'

interface PortFieldsProps {
  items: readonly string[]
  onChange: (items: string[]) => void
}

/** The ports of a rule, and the field that adds a port or a range. */
export function PortFields({ items, onChange }: PortFieldsProps) {
  const form = useForm({ defaultValues: { port: '' } })
  const { control, handleSubmit, reset } = form
  const typed = useWatch({ control, name: 'port' })
  const clear = () => reset(undefined, { keepIsSubmitted: true })
  const add = entryAdder(handleSubmit, ({ port }) => {
    onChange([...items, port.trim()])
    clear()
  })
  return (
    <>
      <SubForm
        name="port"
        form={form}
        addLabel={text.addPortLabel}
        isBlank={typed === ''}
        onAdd={add}
        onClear={() => reset()}
        answersBlankEnter
      >
        <TextField
          name="port"
          control={control}
          label={text.portsLabel}
          isCode
          required
          help={text.portHelp}
          validate={(port) => problem(port, items)}
        />
      </SubForm>
      <MiniTable
        aria-label={text.portsLabel}
        columns={[
          {
            header: text.portRangesColumnLabel,
            cell: (port) => <span className="font-mono text-xs">{port}</span>,
          },
        ]}
        items={items}
        rowKey={(port) => port}
        onRemove={(port) => onChange(items.filter((each) => each !== port))}
        removeLabel={text.removePortLabel}
      />
    </>
  )
}

/** @returns the message for a port or range that cannot be added to these. */
function problem(range: string, items: readonly string[]): string | undefined {
  const invalid = validatePortRange(range)
  if (invalid) return invalid
  // Port 0 is reserved; the server rejects it.
  if (parsePortRange(range)?.first === 0) return text.portZeroError
  if (items.includes(range.trim())) return text.portTakenError
  return items.length < MAX_RULE_PARTS ? undefined : text.tooManyPortsError(MAX_RULE_PARTS)
}
