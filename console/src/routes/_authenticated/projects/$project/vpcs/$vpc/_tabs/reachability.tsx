import { createFileRoute } from '@tanstack/react-router'
import { useId } from 'react'
import { useForm } from 'react-hook-form'

import { vpcTrace } from '~/api/generated/operations'
import { useApiMutation } from '~/api/query'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/reachability-screens'
import { Button } from '~/ui/button'
import { FormElement } from '~/ui/form/form-shell'
import { Message } from '~/ui/message'

import { TraceAnswer } from './-reachability/trace-answer'
import { TraceFields } from './-reachability/trace-fields'
import { TRACE_FORM_DEFAULTS, traceBody } from './-reachability/trace-form'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/reachability',
)({
  staticData: { crumb: { label: crumbs.reachabilityLabel } },
  component: ReachabilityTab,
})

/** Checks whether a packet would be delivered, and explains the result. No packet is sent. */
function ReachabilityTab() {
  const { project, vpc } = Route.useParams()
  const form = useForm({ defaultValues: TRACE_FORM_DEFAULTS })
  const trace = useApiMutation(vpcTrace)
  const id = useId()
  const asked = trace.variables?.body
  return (
    <div className="space-y-6">
      <p className="max-w-2xl text-sm text-pretty text-fg-muted">{text.introText}</p>
      <FormElement
        needs={vpcTrace}
        id={id}
        form={form}
        onSubmit={(values) =>
          trace.mutate({ path: { vpc }, query: { project }, body: traceBody(values) })
        }
        loading={trace.isPending}
        submitError={null}
      >
        <TraceFields form={form} project={project} />
        <div>
          <Button needs={vpcTrace} type="submit" form={id} size="sm" loading={trace.isPending}>
            {text.checkButtonLabel}
          </Button>
        </div>
      </FormElement>
      {trace.error && (
        <Message tone="danger" title={text.failedTitle}>
          {trace.error.message}
        </Message>
      )}
      {trace.data && asked && (
        <TraceAnswer
          key={trace.submittedAt}
          vpc={{ project, vpc }}
          request={asked}
          trace={trace.data}
        />
      )}
    </div>
  )
}
