import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { projectCreate, currentUserProjectList, projectView } from '~/api/generated/operations'
import { q } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/silo-project-screens'
import { ProjectFields } from '~/resource/project-form'
import { SideModalForm } from '~/ui/form/side-modal-form'

export const Route = createFileRoute('/_authenticated/_silo/_projects/projects-new')({
  staticData: { crumb: { label: crumbs.newProjectLabel, titleOnly: true } },
  component: NewProject,
})

function NewProject() {
  const navigate = useNavigate()
  const { control, shell } = useResourceForm({
    operation: projectCreate,
    defaultValues: { name: '', description: '' },
    input: (body) => ({ body }),
    refreshes: [currentUserProjectList],
    view: (project) => q(projectView, { path: { project: project.name } }),
    leave: (project) =>
      navigate({ href: project ? `/projects/${project.name}/instances` : '/projects' }),
    toast: ({ name }) => text.createdToast(name),
  })
  return (
    <SideModalForm {...shell} title={text.createProjectTitle}>
      <ProjectFields control={control} />
    </SideModalForm>
  )
}
