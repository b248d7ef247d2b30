import { HardDrive } from 'lucide-react'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import { Row, Specimen } from '~/gallery/specimen'
import { presetRange, type DateRange } from '~/lib/date-range'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { CheckboxField, CheckboxGroupField } from '~/ui/form/checkbox-field'
import { ComboboxField } from '~/ui/form/combobox-field'
import { DateRangeField } from '~/ui/form/date-range-field'
import { DescriptionField } from '~/ui/form/description-field'
import { DiskSizeField } from '~/ui/form/disk-size-field'
import { FileField } from '~/ui/form/file-field'
import { FormElement } from '~/ui/form/form-shell'
import { ListboxField } from '~/ui/form/listbox-field'
import { MiniTable } from '~/ui/form/mini-table'
import { ModalForm } from '~/ui/form/modal-form'
import { NameField } from '~/ui/form/name-field'
import { NumberField } from '~/ui/form/number-field'
import { PasswordField } from '~/ui/form/password-field'
import { RadioCards, RadioField } from '~/ui/form/radio-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { entryAdder, SubForm } from '~/ui/form/sub-form'
import { TextField } from '~/ui/form/text-field'

const images = [
  {
    value: 'ubuntu-22',
    label: 'ubuntu-22-04',
    detail: 'Ubuntu 22.04, 1 GiB',
    badge: <Badge>silo</Badge>,
  },
  { value: 'ubuntu-20', label: 'ubuntu-20-04', detail: 'Ubuntu 20.04, 2 GiB' },
  { value: 'arch', label: 'arch-2022-06-01', detail: 'Arch Linux, 3 GiB' },
]

const pools = [
  { value: 'default', label: 'ip-pool-1', badge: <Badge>default</Badge> },
  { value: 'second', label: 'ip-pool-2' },
  { value: 'third', label: 'ip-pool-3', isDisabled: true },
]

interface Values {
  name: string
  description: string
  hostname: string
  password: string
  cpus: number | null
  size: number | null
  pool: string
  none: string
  image: string
  vpc: string
  type: string
  preset: string
  keys: string[]
  start: boolean
  file: File | null
  range: DateRange
  locked: string
}

/** Every kind of field in one form; sending it blank shows every message. */
export function Fields() {
  const [defaultValues] = useState<Values>(() => ({
    name: '',
    description: '',
    hostname: '',
    password: '',
    cpus: 4,
    size: null,
    pool: '',
    none: '',
    image: '',
    vpc: '',
    type: 'blank',
    preset: '',
    keys: ['laptop'],
    start: true,
    file: null,
    range: presetRange('last3Hours', new Date()),
    locked: 'fd9b:870a:4245::/48',
  }))
  const form = useForm<Values>({ defaultValues })
  const { control } = form
  return (
    <Specimen title="Form fields">
      <FormElement
        calls={null}
        needs={null}
        id="gallery-fields"
        form={form}
        onSubmit={() => undefined}
        loading={false}
        submitError={null}
        className="grid gap-x-10 gap-y-6 lg:grid-cols-2"
      >
        <NameField control={control} name="name" />
        <DescriptionField control={control} name="description" />
        <TextField
          control={control}
          name="hostname"
          label="Hostname"
          required
          isCode
          placeholder="db1.example"
          help="Will be the name of the instance inside its VPC"
        />
        <PasswordField
          control={control}
          name="password"
          label="Password"
          required
          autoComplete="new-password"
        />
        <NumberField control={control} name="cpus" label="CPUs" unit="vCPUs" max={64} required />
        <DiskSizeField control={control} name="size" />
        <ListboxField control={control} name="pool" label="IP pool" required options={pools} />
        <ListboxField control={control} name="none" label="Floating IP" options={[]} />
        <ComboboxField control={control} name="image" label="Image" required options={images} />
        <ComboboxField
          control={control}
          name="vpc"
          label="VPC name"
          allowsCustomValue
          options={images}
        />
        <RadioField
          control={control}
          name="type"
          label="Disk source"
          orientation="horizontal"
          options={[
            { value: 'blank', label: 'Blank' },
            { value: 'image', label: 'Image' },
            { value: 'snapshot', label: 'Snapshot', isDisabled: true },
          ]}
        />
        <RadioCards
          control={control}
          name="preset"
          label="Hardware"
          options={[
            { value: 'small', label: '2 vCPU', detail: '8 GiB' },
            { value: 'medium', label: '4 vCPU', detail: '16 GiB' },
            { value: 'large', label: '8 vCPU', detail: '32 GiB' },
          ]}
        />
        <CheckboxGroupField
          control={control}
          name="keys"
          label="SSH keys"
          help="Chosen keys are given to the instance when it is created"
          options={[
            { value: 'laptop', label: 'laptop' },
            { value: 'desktop', label: 'desktop' },
            { value: 'ci', label: 'ci' },
          ]}
        />
        <CheckboxField control={control} name="start">
          Start instance
        </CheckboxField>
        <FileField
          control={control}
          name="file"
          label="Image file"
          accept=".iso,.raw,.qcow2"
          required
        />
        <DateRangeField control={control} name="range" label="Time range" />
        <TextField control={control} name="locked" label="IPv6 prefix" required disabled isCode />
        <div className="self-end">
          <Button needs={null} type="submit">
            Check all
          </Button>
        </div>
      </FormElement>
    </Specimen>
  )
}

const portColumns = [
  { header: 'Port ranges', cell: (port: string) => <span className="font-mono">{port}</span> },
]

/** Rows added by a sub-form. */
export function SubForms() {
  const outer = useForm({ defaultValues: {} })
  const inner = useForm({ defaultValues: { port: '' } })
  const port = useWatch({ control: inner.control, name: 'port' })
  const [ports, setPorts] = useState(['22', '80-443'])
  return (
    <Specimen title="Mini table">
      <FormElement
        calls={null}
        needs={null}
        id="gallery-outer"
        form={outer}
        onSubmit={() => undefined}
        loading={false}
        submitError={null}
      >
        <SubForm
          name="port"
          form={inner}
          addLabel="Add port filter"
          isBlank={port === ''}
          onClear={() => inner.reset()}
          onAdd={entryAdder(inner.handleSubmit, ({ port }) => {
            setPorts((before) => [...before, port])
            inner.reset()
          })}
        >
          <TextField
            control={inner.control}
            name="port"
            label="Port filters"
            help="A port or a range of ports"
          />
        </SubForm>
        <MiniTable
          aria-label="Port filters"
          columns={portColumns}
          items={ports}
          rowKey={String}
          removeLabel={(port) => `remove port ${port}`}
          onRemove={(port) => setPorts((before) => before.filter((each) => each !== port))}
        />
      </FormElement>
    </Specimen>
  )
}

/** Forms in a panel and in a dialog, each with a failure on request. */
export function FormShells() {
  const [open, setOpen] = useState<'none' | 'side' | 'failed' | 'modal'>('none')
  const close = () => setOpen('none')
  return (
    <Specimen title="Form shells">
      <Row>
        <Button needs={null} variant="secondary" onPress={() => setOpen('side')}>
          Side modal form
        </Button>
        <Button needs={null} variant="secondary" onPress={() => setOpen('failed')}>
          Failed side modal form
        </Button>
        <Button needs={null} variant="secondary" onPress={() => setOpen('modal')}>
          Modal form
        </Button>
      </Row>
      {(open === 'side' || open === 'failed') && (
        <DiskForm hasFailed={open === 'failed'} onDismiss={close} />
      )}
      {open === 'modal' && <MemberForm onDismiss={close} />}
    </Specimen>
  )
}

const TAKEN = { message: 'Disk name already exists', errorCode: 'ObjectAlreadyExists' }

function DiskForm({ hasFailed, onDismiss }: { hasFailed: boolean; onDismiss: () => void }) {
  const form = useForm({
    defaultValues: { name: 'web', description: '', image: '', size: 10, pool: '' },
  })
  return (
    <SideModalForm
      calls={null}
      needs={null}
      form={form}
      title="Create disk"
      subject={{ icon: HardDrive, name: 'web-shop' }}
      onSubmit={onDismiss}
      onDismiss={onDismiss}
      loading={false}
      submitError={hasFailed ? TAKEN : null}
    >
      <NameField control={form.control} name="name" />
      <DescriptionField control={form.control} name="description" />
      <ComboboxField
        control={form.control}
        name="image"
        label="Source image"
        required
        options={images}
      />
      <ListboxField control={form.control} name="pool" label="IP pool" options={pools} />
      <DiskSizeField control={form.control} name="size" />
    </SideModalForm>
  )
}

function MemberForm({ onDismiss }: { onDismiss: () => void }) {
  const form = useForm({ defaultValues: { image: '' } })
  return (
    <ModalForm
      calls={null}
      needs={null}
      form={form}
      title="Add instance to group"
      submitLabel="Add to group"
      onSubmit={onDismiss}
      onDismiss={onDismiss}
      loading={false}
      submitError={{ message: 'The group already has 32 members' }}
    >
      <ComboboxField
        control={form.control}
        name="image"
        label="Instance"
        required
        options={images}
      />
    </ModalForm>
  )
}
