import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import { currentUserProjectList, projectUpdate, projectView } from '~/api/generated/operations'
import type { ProjectCreate } from '~/api/generated/types.gen'
import { invalidate, load, q, setCached, useApiMutation, useLoaded } from '~/api/query'
import { permissionsOn } from '~/app/permissions'
import { RightsOn } from '~/app/rights-on'
import { ProjectFields } from '~/resource/project-form'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { toast } from '~/ui/toast'

export const Route = createFileRoute('/_authenticated/_silo/_projects/projects/$project/edit')({
  loader: ({ context: { queryClient }, params: { project } }) =>
    Promise.all([
      load(queryClient, q(projectView, { path: { project } })),
      load(queryClient, permissionsOn({ on: 'project', project })),
    ]),
  staticData: { crumb: { label: 'Edit project', titleOnly: true } },
  component: EditProject,
})

function EditProject() {
  const navigate = useNavigate()
  const path = Route.useParams()
  const { name, description } = useLoaded(q(projectView, { path }))
  const form = useForm<ProjectCreate>({ defaultValues: { name, description } })
  const leave = () => navigate({ to: '/projects' })
  const update = useApiMutation(projectUpdate, {
    onSuccess: async (project) => {
      await invalidate(currentUserProjectList)
      setCached(projectView, { path: { project: project.name } }, project)
      await leave()
      toast({
        content: (
          <>
            Project <b>{project.name}</b> updated
          </>
        ),
      })
    },
  })
  return (
    <RightsOn object={{ on: 'project', project: path.project }}>
      <SideModalForm
        needs={projectUpdate}
        form={form}
        submitLabel="Update project"
        title="Edit project"
        onSubmit={(body) => update.mutate({ path, body })}
        onDismiss={() => void leave()}
        loading={update.isPending}
        submitError={update.error}
      >
        <ProjectFields control={form.control} />
      </SideModalForm>
    </RightsOn>
  )
}
