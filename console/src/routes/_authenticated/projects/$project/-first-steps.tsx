import { useQuery } from '@tanstack/react-query'
import { Circle, CircleCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCallback, useState } from 'react'

import {
  imageCreate,
  instanceCreate,
  projectSiloImageList,
  vpcFirewallRulesUpdate,
  vpcFirewallRulesView,
} from '~/api/generated/operations'
import type { Image, Instance } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { qOptional } from '~/api/query'
import { ButtonLink } from '~/app/button-link'
import { useSession } from '~/app/session'
import * as text from '~/messages/overview'
import { newInstancePath } from '~/resource/disk-source-search'
import { dismissedProjects, dismissFirstSteps, stepsDone } from '~/resource/first-steps'
import type { FirstStep } from '~/resource/first-steps'
import { ownSshKeys } from '~/resource/ssh-key-query'
import { Button } from '~/ui/button'
import { CardBlock } from '~/ui/card-block'
import { onDemand } from '~/ui/on-demand'

const SshKeyForm = onDemand(
  async () => (await import('~/resource/ssh-key-create-form')).SshKeyCreateForm,
)

const STEPS: readonly FirstStep[] = ['image', 'ssh-key', 'instance', 'firewall']

interface FirstStepsProps {
  project: string
  projectId: string
  /** Those of the project. */
  images: readonly Image[]
  instances: readonly Instance[]
}

/** What leads from an empty project to an instance, each step by one button. Gone when all are done, or when dismissed. */
export function FirstSteps(props: FirstStepsProps) {
  const { projectId } = props
  const { id: person } = useSession().me
  const [dismissed, setDismissed] = useState(() => dismissedProjects(person))
  if (dismissed.includes(projectId)) return null
  const dismiss = () => {
    dismissFirstSteps(person, projectId)
    setDismissed(dismissedProjects(person).concat(projectId))
  }
  return <Steps {...props} onDismiss={dismiss} />
}

function Steps({
  project,
  images,
  instances,
  onDismiss,
}: FirstStepsProps & { onDismiss: () => void }) {
  const shared = useQuery(qOptional(projectSiloImageList, { query: { project, limit: allItems } }))
  const keys = useQuery(ownSshKeys)
  // A project whose default VPC is gone has nobody who needs this step.
  const rules = useQuery(qOptional(vpcFirewallRulesView, { query: { project, vpc: 'default' } }))
  const [isAddingKey, setAddingKey] = useState(false)
  const close = useCallback(() => setAddingKey(false), [])
  if (!shared.isFetched || !keys.isFetched || !rules.isFetched) return null

  const usable = [...images, ...(shared.data?.items ?? [])]
  const done = stepsDone({
    images: usable,
    sshKeys: keys.data?.type === 'success' ? keys.data.data.items : [],
    instances,
    rules: rules.data?.rules ?? [],
  })
  const steps = STEPS.filter((step) => step !== 'firewall' || rules.data)
  if (steps.every((step) => done[step])) return null

  const base = `/projects/${project}`
  const [image] = usable
  const look = { size: 'sm', variant: 'secondary' } as const
  const buttons: Record<FirstStep, ReactNode> = {
    image: (
      <ButtonLink {...look} needs={imageCreate} to={`${base}/images-new`}>
        {text.stepButtonLabel.image}
      </ButtonLink>
    ),
    'ssh-key': (
      <Button {...look} needs={null} onPress={() => setAddingKey(true)}>
        {text.stepButtonLabel['ssh-key']}
      </Button>
    ),
    instance: (
      <ButtonLink
        {...look}
        needs={instanceCreate}
        to={image ? newInstancePath(project, image.id) : `${base}/instances-new`}
      >
        {text.stepButtonLabel.instance}
      </ButtonLink>
    ),
    firewall: (
      <ButtonLink
        {...look}
        needs={vpcFirewallRulesUpdate}
        to={`${base}/vpcs/default/firewall-rules-new`}
      >
        {text.stepButtonLabel.firewall}
      </ButtonLink>
    ),
  }
  return (
    <CardBlock
      title={text.stepsTitle}
      flush
      actions={
        <Button
          needs={null}
          variant="ghost"
          size="icon"
          aria-label={text.dismissLabel}
          onPress={onDismiss}
        >
          <X aria-hidden="true" />
        </Button>
      }
    >
      <ol aria-label={text.stepsTitle}>
        {steps.map((step) => (
          <li
            key={step}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3 last:border-b-0"
          >
            <Mark isDone={done[step]} />
            <div className="min-w-0 grow basis-60">
              <p className="text-sm font-medium">{text.stepTitle[step]}</p>
              <p className="text-sm text-fg-muted">{text.stepHelp[step]}</p>
            </div>
            {!done[step] && buttons[step]}
          </li>
        ))}
      </ol>
      {isAddingKey && <SshKeyForm onCreated={close} onDismiss={close} onMissing={close} />}
    </CardBlock>
  )
}

const Mark = ({ isDone }: { isDone: boolean }) =>
  isDone ? (
    <CircleCheck role="img" aria-label={text.stepDoneText} className="size-5 text-success-text" />
  ) : (
    <Circle role="img" aria-label={text.stepOpenText} className="size-5 text-fg-subtle" />
  )
