import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import { projectCreate, currentUserProjectList, projectView } from '~/api/generated/operations'
import type { ProjectCreate } from '~/api/generated/types.gen'
import { invalidate, setCached, useApiMutation } from '~/api/query'
import { ProjectFields } from '~/resource/project-form'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { toast } from '~/ui/toast'

export const Route = createFileRoute('/_authenticated/_silo/_projects/projects-new')({
  staticData: { crumb: { label: 'New project', titleOnly: true } },
  component: NewProject,
})

function NewProject() {
  const navigate = useNavigate()
  const form = useForm<ProjectCreate>({ defaultValues: { name: '', description: '' } })
  const create = useApiMutation(projectCreate, {
    onSuccess: async (project) => {
      const path = { project: project.name }
      await invalidate(currentUserProjectList)
      setCached(projectView, { path }, project)
      await navigate({ href: `/projects/${project.name}/instances` })
      toast({
        content: (
          <>
            Project <b>{project.name}</b> created
          </>
        ),
      })
    },
  })
  return (
    <SideModalForm
      needs={projectCreate}
      form={form}
      title="Create project"
      onSubmit={(body) => create.mutate({ body })}
      onDismiss={() => void navigate({ to: '/projects' })}
      loading={create.isPending}
      submitError={create.error}
    >
      <ProjectFields control={form.control} />
    </SideModalForm>
  )
}
