import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import { diskList, instanceCreate, instanceList, instanceView } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { invalidate, load, q, setCached, useApiMutation, useLoaded } from '~/api/query'
import { ContentActions } from '~/app/content-pane'
import { useLeaveGuard } from '~/app/use-leave-guard'
import { attachableDisks } from '~/resource/disk-form'
import { instanceDocs } from '~/resource/instance-docs'
import { INSTANCE_FORM_DEFAULTS, instanceCreateBody } from '~/resource/instance-form'
import type { InstanceFormValues } from '~/resource/instance-form'
import { ownSshKeys } from '~/resource/ssh-key-query'
import { Accordion } from '~/ui/accordion'
import { CheckboxField } from '~/ui/form/checkbox-field'
import { DescriptionField } from '~/ui/form/description-field'
import { FullPageForm } from '~/ui/form/full-page-form'
import { NameField } from '~/ui/form/name-field'
import { TextField } from '~/ui/form/text-field'
import { PageHeader } from '~/ui/page-header'
import { toast } from '~/ui/toast'

import { BootDiskFields } from './-instance-boot-disk-fields'
import { DiskFields } from './-instance-disk-fields'
import { FormSection } from './-instance-form-section'
import { HardwareFields } from './-instance-hardware-fields'
import { SshKeyFields } from './-instance-ssh-key-fields'

const projectDisks = (project: string) => q(diskList, { query: { project, limit: allItems } })

export const Route = createFileRoute('/_authenticated/projects/$project/instances-new')({
  loader: ({ context, params }) =>
    Promise.all([
      load(context.queryClient, projectDisks(params.project)),
      load(context.queryClient, ownSshKeys),
    ]),
  staticData: { crumb: { label: 'New instance' } },
  component: NewInstance,
})

const inBottomBar = (actions: ReactNode) => <ContentActions>{actions}</ContentActions>

function NewInstance() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const { items: disks } = useLoaded(projectDisks(project))
  const keys = useLoaded(ownSshKeys)
  const form = useForm<InstanceFormValues>({
    defaultValues: {
      ...INSTANCE_FORM_DEFAULTS,
      sshKeys: keys.type === 'success' ? keys.data.items.map(({ id }) => id) : [],
    },
  })
  const { control } = form
  const guard = useLeaveGuard(form.formState.isDirty)
  const [name, bootSource, others] = useWatch({ control, name: ['name', 'bootSource', 'disks'] })

  const create = useApiMutation(instanceCreate, {
    onSuccess: async (instance) => {
      const params = { project, instance: instance.name }
      setCached(instanceView, { path: { instance: instance.name }, query: { project } }, instance)
      await invalidate(instanceList, diskList)
      guard.release()
      await navigate({ to: '/projects/$project/instances/$instance/storage', params })
      toast({
        content: (
          <>
            Instance <b>{instance.name}</b> created
          </>
        ),
      })
    },
  })

  const taken = others.map((disk) => disk.name)
  const lacksBootDisk = bootSource === 'disk' && attachableDisks(disks, taken).length === 0
  return (
    <>
      <PageHeader icon={<Server />} title="Create instance" docs={instanceDocs} />
      <FullPageForm
        form={form}
        submitLabel="Create instance"
        submitDisabledReason={lacksBootDisk && 'A boot disk is required'}
        onSubmit={(values) =>
          create.mutate({ query: { project }, body: instanceCreateBody(values) })
        }
        onCancel={() => void navigate({ to: '/projects/$project/instances', params: { project } })}
        loading={create.isPending}
        submitError={create.error}
        guard={guard}
        renderActions={inBottomBar}
      >
        {/* Taken out of the flow, so that the sections are spaced by the form. */}
        <fieldset disabled={create.isPending} className="contents">
          <NameField name="name" control={control} />
          <DescriptionField name="description" control={control} />
          <CheckboxField name="start" control={control} label="Start Instance" />
          <HardwareFields control={control} setValue={form.setValue} />
          <BootDiskFields control={control} disks={disks} />
          <DiskFields project={project} control={control} disks={disks} />
          <SshKeyFields control={control} />
          <FormSection title="Advanced">
            <Accordion title="Configuration">
              <TextField
                name="hostname"
                control={control}
                isCode
                placeholder={name}
                help="The instance’s name is used when this is left empty."
              />
            </Accordion>
          </FormSection>
        </fieldset>
      </FullPageForm>
    </>
  )
}
