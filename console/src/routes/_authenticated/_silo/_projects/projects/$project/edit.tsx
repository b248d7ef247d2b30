import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { currentUserProjectList, projectUpdate, projectView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import { permissionsOn } from '~/app/permissions'
import { RightsOn } from '~/app/rights-on'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/silo-project-screens'
import { ProjectFields } from '~/resource/project-form'
import { SideModalForm } from '~/ui/form/side-modal-form'

export const Route = createFileRoute('/_authenticated/_silo/_projects/projects/$project/edit')({
  loader: ({ context: { queryClient }, params: { project } }) =>
    Promise.all([
      load(queryClient, q(projectView, { path: { project } })),
      load(queryClient, permissionsOn({ on: 'project', project })),
    ]),
  staticData: { crumb: { label: crumbs.editProjectLabel, titleOnly: true } },
  component: EditProject,
})

function EditProject() {
  const navigate = useNavigate()
  const path = Route.useParams()
  const { name, description } = useLoaded(q(projectView, { path }))
  const { control, shell } = useResourceForm({
    operation: projectUpdate,
    defaultValues: { name, description },
    input: (body) => ({ path, body }),
    refreshes: [currentUserProjectList],
    view: (project) => q(projectView, { path: { project: project.name } }),
    leave: () => navigate({ to: '/projects' }),
    toast: (project) => text.updatedToast(project.name),
  })
  return (
    <RightsOn object={{ on: 'project', project: path.project }}>
      <SideModalForm {...shell} title={text.editProjectTitle} submitLabel={text.updateProjectLabel}>
        <ProjectFields control={control} />
      </SideModalForm>
    </RightsOn>
  )
}
