import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'

import { instanceNetworkInterfaceList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { validateIp } from '~/lib/ip'
import { projectInstances } from '~/resource/vpc-queries'
import { ComboboxField } from '~/ui/form/combobox-field'
import { ListboxField } from '~/ui/form/listbox-field'
import { TextField } from '~/ui/form/text-field'

import { hasPorts, PRIMARY_INTERFACE, validateNumber } from './trace-form'
import type { TraceFormValues } from './trace-form'

interface TraceFieldsProps {
  form: UseFormReturn<TraceFormValues>
  project: string
}

const ENDS = [
  { value: 'instance', label: 'Instance' },
  { value: 'ip', label: 'IP address' },
]

const PROTOCOLS = [
  { value: 'tcp', label: 'TCP' },
  { value: 'udp', label: 'UDP' },
  { value: 'icmp', label: 'ICMP' },
  { value: 'other', label: 'Other', detail: 'Neither TCP, UDP nor ICMP' },
]

/** Who sends what to whom. */
export function TraceFields({ form, project }: TraceFieldsProps) {
  return (
    <div className="grid gap-6 md:grid-cols-3">
      <Column title="From">
        <SourceFields form={form} project={project} />
      </Column>
      <Column title="To">
        <DestinationFields form={form} project={project} />
      </Column>
      <Column title="Packet">
        <PacketFields form={form} />
      </Column>
    </div>
  )
}

function Column({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-4">
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Instances of the project, to choose from by name. */
function useInstances(project: string) {
  const { data, isPending } = useQuery(projectInstances(project))
  return {
    isLoading: isPending,
    options: (data?.items ?? []).map(({ name, description }) => ({
      value: name,
      label: name,
      detail: description || undefined,
    })),
  }
}

const validateAddress = (text: string) => (text.trim() ? validateIp(text.trim()) : undefined)

function SourceFields({ form, project }: TraceFieldsProps) {
  const { control, setValue } = form
  const [type, instance] = useWatch({ control, name: ['sourceType', 'sourceInstance'] })
  const instances = useInstances(project)
  return (
    <>
      <ListboxField
        name="sourceType"
        control={control}
        label="Source type"
        required
        options={ENDS}
      />
      {type === 'instance' ? (
        <>
          <ComboboxField
            {...instances}
            name="sourceInstance"
            control={control}
            label="Source instance"
            required
            placeholder="Select an instance"
            onChange={() => setValue('sourceInterface', PRIMARY_INTERFACE)}
          />
          <InterfaceField form={form} project={project} instance={instance} />
          <TextField
            name="sentFrom"
            control={control}
            label="Sent from address"
            isCode
            help="If it differs from the interface’s address, for example when the instance forwards packets."
            validate={validateAddress}
          />
        </>
      ) : (
        <TextField
          name="sourceIp"
          control={control}
          label="Source address"
          required
          isCode
          help="Inside the VPC or outside."
          validate={validateAddress}
        />
      )}
    </>
  )
}

/** Which interface sends. It is there before an instance is chosen, so that nothing moves when one is. */
function InterfaceField({ form, project, instance }: TraceFieldsProps & { instance: string }) {
  const { data } = useQuery(
    q(
      instanceNetworkInterfaceList,
      { query: { project, instance, limit: allItems } },
      { enabled: instance !== '', allowNotFound: true },
    ),
  )
  const interfaces = data?.items ?? []
  const others = interfaces.filter(({ primary }) => !primary)
  return (
    <ListboxField
      name="sourceInterface"
      control={form.control}
      label="Source interface"
      required
      options={[
        {
          value: PRIMARY_INTERFACE,
          label: 'Primary',
          detail: interfaces.find(({ primary }) => primary)?.ip,
        },
        ...others.map(({ id, name, ip }) => ({ value: id, label: name, detail: ip })),
      ]}
    />
  )
}

function DestinationFields({ form, project }: TraceFieldsProps) {
  const { control } = form
  const type = useWatch({ control, name: 'destinationType' })
  const instances = useInstances(project)
  return (
    <>
      <ListboxField
        name="destinationType"
        control={control}
        label="Destination type"
        required
        options={ENDS}
      />
      {type === 'instance' ? (
        <ComboboxField
          {...instances}
          name="destinationInstance"
          control={control}
          label="Destination instance"
          required
          placeholder="Select an instance"
        />
      ) : (
        <TextField
          name="destinationIp"
          control={control}
          label="Destination address"
          required
          isCode
          help="Inside the VPC or outside."
          validate={validateAddress}
        />
      )}
    </>
  )
}

const PORT_MAX = 65535
const ICMP_MAX = 255

const validateIcmp = (text: string) => validateNumber(text, 0, ICMP_MAX)

function PacketFields({ form: { control } }: Pick<TraceFieldsProps, 'form'>) {
  const protocol = useWatch({ control, name: 'protocol' })
  return (
    <>
      <ListboxField
        name="protocol"
        control={control}
        label="Protocol"
        required
        options={PROTOCOLS}
      />
      {hasPorts(protocol) && (
        <TextField
          name="port"
          control={control}
          label="Destination port"
          required
          isCode
          validate={(port) => validateNumber(port, 1, PORT_MAX)}
        />
      )}
      {protocol === 'icmp' && (
        <>
          <TextField
            name="icmpType"
            control={control}
            label="ICMP type"
            required
            isCode
            help="8 is the echo request that ping sends."
            validate={validateIcmp}
          />
          <TextField
            name="icmpCode"
            control={control}
            label="ICMP code"
            required
            isCode
            validate={validateIcmp}
          />
        </>
      )}
    </>
  )
}
