import { useForm, useWatch } from 'react-hook-form'

import { parsePortRange, validatePortRange } from '~/lib/port-range'
import { MAX_RULE_PARTS } from '~/resource/firewall-rule'
import { MiniTable } from '~/ui/form/mini-table'
import { entryAdder, SubForm } from '~/ui/form/sub-form'
import { TextField } from '~/ui/form/text-field'

interface PortFieldsProps {
  items: readonly string[]
  onChange: (items: string[]) => void
}

/** The ports that a rule is about, and the field that adds one or a range of them. */
export function PortFields({ items, onChange }: PortFieldsProps) {
  const { control, handleSubmit, reset } = useForm({ defaultValues: { port: '' } })
  const typed = useWatch({ control, name: 'port' })
  const clear = () => reset(undefined, { keepIsSubmitted: true })
  const add = entryAdder(handleSubmit, ({ port }) => {
    onChange([...items, port.trim()])
    clear()
  })
  return (
    <>
      <SubForm
        addLabel="Add port filter"
        isBlank={typed === ''}
        onAdd={add}
        onClear={() => reset()}
        answersBlankEnter
      >
        <TextField
          name="port"
          control={control}
          label="Port filters"
          isCode
          required
          help="One destination port, or a range of them such as 1234-1240"
          validate={(port) => problem(port, items)}
        />
      </SubForm>
      <MiniTable
        aria-label="Port filters"
        columns={[
          {
            header: 'Port ranges',
            cell: (port) => <span className="font-mono text-xs">{port}</span>,
          },
        ]}
        items={items}
        rowKey={(port) => port}
        onRemove={(port) => onChange(items.filter((each) => each !== port))}
        removeLabel={(port) => `remove port ${port}`}
      />
    </>
  )
}

/** @returns the message for a port or range that cannot be added to these. */
function problem(text: string, items: readonly string[]): string | undefined {
  const invalid = validatePortRange(text)
  if (invalid) return invalid
  // Port 0 is reserved, and the server knows no such port.
  if (parsePortRange(text)?.first === 0) return 'Ports start at 1'
  if (items.includes(text.trim())) return 'Port range already added'
  return items.length < MAX_RULE_PARTS
    ? undefined
    : `A rule can have ${MAX_RULE_PARTS} port filters`
}
