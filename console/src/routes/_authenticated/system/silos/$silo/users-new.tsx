import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { localIdpUserCreate, siloUserList } from '~/api/generated/operations'
import type { UserPassword } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/silo-detail-screens'
import { IssuedPassword } from '~/resource/local-user-issued-password'
import { choosePassword } from '~/resource/local-user-password'
import type { PasswordChoice } from '~/resource/local-user-password'
import { PasswordFields } from '~/resource/local-user-password-fields'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { toast } from '~/ui/toast'

export const Route = createFileRoute('/_authenticated/system/silos/$silo/users-new')({
  staticData: { crumb: { label: crumbs.newUserLabel, titleOnly: true } },
  component: NewUser,
})

interface NewUserValues extends PasswordChoice {
  name: string
}

function NewUser() {
  const { silo } = Route.useParams()
  const navigate = Route.useNavigate()
  const form = useForm<NewUserValues>({
    defaultValues: { name: '', source: 'generated', password: '' },
  })
  const [issued, setIssued] = useState<{ user: string; password: string }>()
  const leave = () =>
    navigate({ to: '/system/silos/$silo', params: { silo }, search: { tab: 'users' } })
  const create = useApiMutation(localIdpUserCreate)
  const input = (externalId: string, password: UserPassword) => ({
    query: { silo },
    body: { externalId, password },
  })
  const submit = ({ name, ...choice }: NewUserValues) => {
    const { password, generated } = choosePassword(choice)
    create.mutate(input(name, password), {
      onSuccess: async () => {
        await invalidate(siloUserList)
        if (generated) setIssued({ user: name, password: generated })
        else await leave()
        toast({
          content: text.userCreatedToast(name),
        })
      },
    })
  }
  if (issued) return <IssuedPassword {...issued} onDismiss={() => void leave()} />
  return (
    <SideModalForm
      needs={localIdpUserCreate}
      form={form}
      title={text.createUserTitle}
      onSubmit={submit}
      onDismiss={() => void leave()}
      loading={create.isPending}
      submitError={create.error}
      calls={({ name, ...choice }) => [
        {
          operation: localIdpUserCreate,
          input: input(name, choosePassword(choice).password),
        },
      ]}
    >
      <NameField
        name="name"
        control={form.control}
        label={text.usernameLabel}
        help={text.usernameHelp(<code className="font-mono text-xs">/login/{silo}/local</code>)}
      />
      <PasswordFields control={form.control} source="source" password="password" allowsNone />
    </SideModalForm>
  )
}
