import { antiAffinityGroupMemberInstanceAdd } from '~/api/generated/operations'
import { useApiMutation } from '~/api/query'
import * as text from '~/messages/affinity-screens'
import { refreshMembers } from '~/resource/anti-affinity-group'
import { AntiAffinityGroupDialog } from '~/resource/anti-affinity-group-dialog'
import { toastFailure } from '~/ui/failure-toast'
import { toast } from '~/ui/toast'

interface AddToGroupProps {
  project: string
  /** Name of the instance. */
  instance: string
  /** Names of the groups that it is in. */
  takenNames: readonly string[]
  onDismiss: () => void
}

/** Dialog that adds an instance to an anti-affinity group. */
export function AddToGroup({ project, instance, takenNames, onDismiss }: AddToGroupProps) {
  const add = useApiMutation(antiAffinityGroupMemberInstanceAdd, {
    onSuccess: async (_, { path: { antiAffinityGroup } }) => {
      await refreshMembers()
      onDismiss()
      toast({
        content: text.memberAddedToast(instance, antiAffinityGroup),
      })
    },
    onError: (failure) => void toastFailure(failure, text.addFailedTitle),
  })
  const input = (antiAffinityGroup: string) => ({
    path: { antiAffinityGroup, instance },
    query: { project },
  })
  return (
    <AntiAffinityGroupDialog
      project={project}
      takenNames={takenNames}
      onSubmit={({ name }) => add.mutate(input(name))}
      calls={({ group }) => [
        { operation: antiAffinityGroupMemberInstanceAdd, input: input(group) },
      ]}
      onDismiss={onDismiss}
      loading={add.isPending}
      submitError={null}
    />
  )
}
