import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'

import { instanceNetworkInterfaceList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { validateIp } from '~/lib/ip'
import * as shared from '~/messages/project-screens'
import * as text from '~/messages/reachability-screens'
import { projectInstances } from '~/resource/vpc-queries'
import { ComboboxField } from '~/ui/form/combobox-field'
import { ListboxField } from '~/ui/form/listbox-field'
import { TextField } from '~/ui/form/text-field'

import { hasPorts, validateNumber } from './trace-form'
import { PRIMARY_INTERFACE } from './trace-search'
import type { TraceFormValues } from './trace-search'

interface TraceFieldsProps {
  form: UseFormReturn<TraceFormValues>
  project: string
}

const ENDS = [
  { value: 'instance', label: text.instanceLabel },
  { value: 'ip', label: text.addressLabel },
]

const PROTOCOLS = [
  { value: 'tcp', label: text.tcpLabel },
  { value: 'udp', label: text.udpLabel },
  { value: 'icmp', label: text.icmpLabel },
  { value: 'other', label: text.otherLabel, detail: text.otherHelp },
]

/** The source, the destination and the kind of packet. */
export function TraceFields({ form, project }: TraceFieldsProps) {
  return (
    <div className="grid gap-6 md:grid-cols-3">
      <Column title={text.fromTitle}>
        <SourceFields form={form} project={project} />
      </Column>
      <Column title={text.toTitle}>
        <EndFields form={form} project={project} end={DESTINATION} />
      </Column>
      <Column title={text.packetTitle}>
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

/** The instances of the project as options. */
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

const validateAddress = (value: string) => (value.trim() ? validateIp(value.trim()) : undefined)

const SOURCE = {
  type: 'sourceType',
  typeLabel: text.sourceTypeLabel,
  instance: 'sourceInstance',
  instanceLabel: text.sourceInstanceLabel,
  ip: 'sourceIp',
  ipLabel: text.sourceAddressLabel,
} as const

const DESTINATION = {
  type: 'destinationType',
  typeLabel: text.destinationTypeLabel,
  instance: 'destinationInstance',
  instanceLabel: text.destinationInstanceLabel,
  ip: 'destinationIp',
  ipLabel: text.destinationAddressLabel,
} as const

interface EndFieldsProps extends TraceFieldsProps {
  end: typeof SOURCE | typeof DESTINATION
  onInstance?: () => void
  /** Further fields for an instance. */
  children?: ReactNode
}

/** One end of the packet's way: an instance or an address. */
function EndFields({ form, project, end, onInstance, children }: EndFieldsProps) {
  const { control } = form
  const type = useWatch({ control, name: end.type })
  const instances = useInstances(project)
  return (
    <>
      <ListboxField
        name={end.type}
        control={control}
        label={end.typeLabel}
        required
        options={ENDS}
      />
      {type === 'instance' ? (
        <>
          <ComboboxField
            {...instances}
            name={end.instance}
            control={control}
            label={end.instanceLabel}
            required
            placeholder={shared.instancePlaceholder}
            onChange={onInstance}
          />
          {children}
        </>
      ) : (
        <TextField
          name={end.ip}
          control={control}
          label={end.ipLabel}
          required
          isCode
          help={text.anywhereHelp}
          validate={validateAddress}
        />
      )}
    </>
  )
}

function SourceFields({ form, project }: TraceFieldsProps) {
  const { control, setValue } = form
  const instance = useWatch({ control, name: 'sourceInstance' })
  return (
    <EndFields
      form={form}
      project={project}
      end={SOURCE}
      onInstance={() => setValue('sourceInterface', PRIMARY_INTERFACE)}
    >
      <InterfaceField form={form} project={project} instance={instance} />
      <TextField
        name="sentFrom"
        control={control}
        label={text.sentFromLabel}
        isCode
        help={text.sentFromHelp}
        validate={validateAddress}
      />
    </EndFields>
  )
}

/** Selects the sending interface. It is also shown before an instance is selected, so that the layout does not shift. */
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
      label={text.sourceInterfaceLabel}
      required
      options={[
        {
          value: PRIMARY_INTERFACE,
          label: text.primaryInterfaceLabel,
          detail: interfaces.find(({ primary }) => primary)?.ip,
        },
        ...others.map(({ id, name, ip }) => ({ value: id, label: name, detail: ip })),
      ]}
    />
  )
}

const PORT_MAX = 65535
const ICMP_MAX = 255

const validateIcmp = (value: string) => validateNumber(value, 0, ICMP_MAX)

function PacketFields({ form: { control } }: Pick<TraceFieldsProps, 'form'>) {
  const protocol = useWatch({ control, name: 'protocol' })
  return (
    <>
      <ListboxField
        name="protocol"
        control={control}
        label={text.protocolLabel}
        required
        options={PROTOCOLS}
      />
      {hasPorts(protocol) && (
        <TextField
          name="port"
          control={control}
          label={text.portLabel}
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
            label={text.icmpTypeLabel}
            required
            isCode
            help={text.icmpTypeHelp}
            validate={validateIcmp}
          />
          <TextField
            name="icmpCode"
            control={control}
            label={text.icmpCodeLabel}
            required
            isCode
            validate={validateIcmp}
          />
        </>
      )}
    </>
  )
}
