import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'

import {
  diskList,
  floatingIpList,
  imageList,
  instanceCreate,
  instanceList,
  instanceView,
  projectSiloImageList,
  utilizationView,
} from '~/api/generated/operations'
import type { Disk, Image } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { invalidate, load, q, qOptional, setCached, useApiMutation, useLoaded } from '~/api/query'
import { ContentActions } from '~/app/content-pane'
import { useLeaveGuard } from '~/app/use-leave-guard'
import { fileToBase64 } from '~/lib/base64'
import * as text from '~/messages/instance-form-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { attachableDisks } from '~/resource/disk-form'
import { createdToast, startFailure } from '~/resource/instance-created'
import { instanceDocs } from '~/resource/instance-docs'
import { bootDefaults, INSTANCE_FORM_DEFAULTS, instanceCreateBody } from '~/resource/instance-form'
import type { AdditionalDisk, BootSource, InstanceFormValues } from '~/resource/instance-form'
import { defaultPoolName } from '~/resource/ip-pool-options'
import { projectIpPools } from '~/resource/project-ip-pools'
import { ownSshKeys } from '~/resource/ssh-key-query'
import { CheckboxField } from '~/ui/form/checkbox-field'
import { DescriptionField } from '~/ui/form/description-field'
import { FullPageForm } from '~/ui/form/full-page-form'
import { NameField } from '~/ui/form/name-field'
import { onDemand } from '~/ui/on-demand'
import { PageHeader } from '~/ui/page-header'
import { toast } from '~/ui/toast'

import { BootDiskFields } from './-instance-boot-disk-fields'
import { DiskFields } from './-instance-disk-fields'
import { HardwareFields } from './-instance-hardware-fields'

const projectDisks = (project: string) => q(diskList, { query: { project, limit: allItems } })

const projectImages = (project: string) => q(imageList, { query: { project, limit: allItems } })

const siloImages = (project: string) =>
  q(projectSiloImageList, { query: { project, limit: allItems } })

const siloUsage = qOptional(utilizationView, {})

// They are at the end of the form, so the form does not wait for them.
const AdvancedFields = onDemand(
  async () => (await import('./-instance-advanced-fields')).AdvancedFields,
)

const InstanceSummary = onDemand(async () => (await import('./-instance-summary')).InstanceSummary)

export const Route = createFileRoute('/_authenticated/projects/$project/instances-new')({
  loader: ({ context: { queryClient }, params: { project } }) =>
    Promise.all([
      load(queryClient, projectImages(project)),
      load(queryClient, siloImages(project)),
      load(queryClient, siloUsage),
      load(queryClient, projectDisks(project)),
      load(queryClient, ownSshKeys),
      load(queryClient, projectIpPools),
    ]),
  staticData: { crumb: { label: crumbs.newInstanceLabel } },
  component: NewInstance,
})

const inBottomBar = (actions: ReactNode) => <ContentActions>{actions}</ContentActions>

function NewInstance() {
  const { project } = Route.useParams()
  const { image }: { image?: unknown } = Route.useSearch()
  const navigate = useNavigate()
  const { items: disks } = useLoaded(projectDisks(project))
  const images = {
    silo: useLoaded(siloImages(project)).items,
    project: useLoaded(projectImages(project)).items,
  }
  const usage = useLoaded(siloUsage)
  const keys = useLoaded(ownSshKeys)
  const { items: pools } = useLoaded(projectIpPools)
  const form = useForm<InstanceFormValues>({
    defaultValues: {
      ...INSTANCE_FORM_DEFAULTS,
      ...bootDefaults(images.silo, images.project, image),
      ephemeralPool: defaultPoolName(pools),
      sshKeys: keys.type === 'success' ? keys.data.items.map(({ id }) => id) : [],
    },
  })
  const { control, getValues, setValue, formState } = form
  const guard = useLeaveGuard(formState.isDirty)
  const [bootSource, others] = useWatch({ control, name: ['bootSource', 'disks'] })
  const all = [...images.silo, ...images.project]
  const { create, submit, calls } = useInstanceCreate(project, form, all, guard)

  const refusal = bootRefusal(bootSource, images, disks, others)
  const isSending = create.isPending || formState.isSubmitting
  return (
    <>
      <PageHeader icon={<Server />} title={text.createTitle} docs={instanceDocs} />
      <div className="space-y-10 xl:flex xl:items-start xl:gap-10 xl:space-y-0">
        <div className="min-w-0 grow">
          <FullPageForm
            needs={instanceCreate}
            form={form}
            submitLabel={text.createLabel}
            submitDisabledReason={refusal}
            onSubmit={submit}
            onCancel={() =>
              void navigate({ to: '/projects/$project/instances', params: { project } })
            }
            loading={isSending}
            submitError={create.error}
            guard={guard}
            renderActions={inBottomBar}
            calls={calls}
          >
            {/* `contents` removes the element from the layout, so that the form spaces the sections. */}
            <fieldset disabled={isSending} className="contents">
              <NameField name="name" control={control} />
              <DescriptionField name="description" control={control} />
              <CheckboxField name="start" control={control} label={text.startLabel} />
              <HardwareFields control={control} setValue={setValue} usage={usage} />
              <BootDiskFields
                project={project}
                control={control}
                setValue={setValue}
                getValues={getValues}
                disks={disks}
                siloImages={images.silo}
                projectImages={images.project}
              />
              <DiskFields project={project} control={control} setValue={setValue} disks={disks} />
              <AdvancedFields
                project={project}
                control={control}
                setValue={setValue}
                errors={formState.errors}
                pools={pools}
              />
            </fieldset>
          </FullPageForm>
        </div>
        <InstanceSummary project={project} control={control} images={all} />
      </div>
    </>
  )
}

/** Submits the form: reads the user data, creates the instance and navigates to it. */
function useInstanceCreate(
  project: string,
  form: UseFormReturn<InstanceFormValues>,
  images: readonly Image[],
  guard: { release: () => void },
) {
  const navigate = useNavigate()
  const create = useApiMutation(instanceCreate, {
    onSuccess: async (instance, { body }) => {
      const params = { project, instance: instance.name }
      setCached(
        q(instanceView, { path: { instance: instance.name }, query: { project } }),
        instance,
      )
      const failure = await startFailure(instance, body, project)
      await invalidate(instanceList, diskList, floatingIpList)
      guard.release()
      await navigate({ to: '/projects/$project/instances/$instance/storage', params })
      toast(createdToast(instance.name, failure))
    },
  })
  const input = async (values: InstanceFormValues) => {
    const userData = values.userData ? await fileToBase64(values.userData) : undefined
    return { query: { project }, body: instanceCreateBody(values, { images, userData }) }
  }
  const submit = async (values: InstanceFormValues) => {
    try {
      create.mutate(await input(values))
    } catch {
      // The file was moved or changed after it was selected, or cannot be read.
      form.setError('userData', { message: text.userDataError })
    }
  }
  const calls = async (values: InstanceFormValues) => [
    { operation: instanceCreate, input: await input(values) },
  ]
  return { create, submit, calls }
}

/** Why the selected tab cannot provide a boot disk; `undefined` if it can. */
function bootRefusal(
  source: BootSource,
  images: { silo: readonly Image[]; project: readonly Image[] },
  disks: readonly Disk[],
  others: readonly AdditionalDisk[],
): string | undefined {
  const hasNoImages = images.silo.length === 0 && images.project.length === 0
  const taken = others.map(({ name }) => name)
  switch (source) {
    case 'silo-image':
      return images.silo.length === 0 ? text.imageRequiredError : undefined
    case 'project-image':
      return images.project.length === 0 ? text.imageRequiredError : undefined
    case 'disk':
      if (attachableDisks(disks, taken).length > 0) return undefined
      return hasNoImages ? text.imageRequiredError : text.diskRequiredError
    case 'blank':
      return undefined
  }
}
