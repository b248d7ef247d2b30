import { createFileRoute, useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useId, useMemo } from 'react'
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
import { traceBody } from './-reachability/trace-form'
import {
  asksTheSame,
  isQuestion,
  TRACE_FORM_DEFAULTS,
  traceSearch,
} from './-reachability/trace-search'
import type { TraceFormValues } from './-reachability/trace-search'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/reachability',
)({
  staticData: { crumb: { label: crumbs.reachabilityLabel } },
  component: ReachabilityTab,
})

const traceInput = (vpc: string, project: string, values: TraceFormValues) => ({
  path: { vpc },
  query: { project },
  body: traceBody(values),
})

/** Checks whether a packet would be delivered, and explains the result. No packet is sent. */
function ReachabilityTab() {
  const { project, vpc } = Route.useParams()
  // Read here and not by the route, so that the frame does not contain the fields.
  const raw = useLocation({ select: (location) => location.search })
  const search = useMemo(() => traceSearch({ ...raw }), [raw])
  const navigate = useNavigate()
  const form = useForm({ defaultValues: TRACE_FORM_DEFAULTS })
  const trace = useApiMutation(vpcTrace)
  const id = useId()
  const { mutate } = trace
  const ask = useCallback(
    (values: TraceFormValues) => mutate(traceInput(vpc, project, values)),
    [mutate, vpc, project],
  )
  // The URL is the question: a link, a reload and the back button ask it again.
  const { reset } = form
  useEffect(() => {
    const values = { ...TRACE_FORM_DEFAULTS, ...search }
    reset(values)
    if (isQuestion(search)) ask(values)
  }, [search, reset, ask])
  const submit = (values: TraceFormValues) => {
    const next = traceSearch({ ...values })
    if (asksTheSame(next, search)) ask(values)
    else void navigate({ to: '.', search: () => next as object, resetScroll: false })
  }
  const asked = trace.variables?.body
  return (
    <div className="space-y-6">
      <p className="max-w-2xl text-sm text-pretty text-fg-muted">{text.introText}</p>
      <FormElement
        needs={vpcTrace}
        id={id}
        form={form}
        onSubmit={submit}
        calls={(values) => [{ operation: vpcTrace, input: traceInput(vpc, project, values) }]}
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
