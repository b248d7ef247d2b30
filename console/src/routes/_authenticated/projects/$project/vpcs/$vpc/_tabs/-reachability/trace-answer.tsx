import { CircleCheck, CircleSlash, CircleX } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { ComponentType } from 'react'

import type { Trace, TraceRequest, TraceStep, TraceStepKind } from '~/api/generated/types.gen'
import { ButtonLink } from '~/app/button-link'
import { capitalise } from '~/lib/text'
import * as text from '~/messages/reachability-screens'
import type { VpcParams } from '~/resource/vpc-path'
import { cn } from '~/ui/class-names'
import { Link } from '~/ui/link'
import { Message } from '~/ui/message'
import type { MessageTone } from '~/ui/message'

import { packetText } from './trace-form'
import { linksOf, remedyOf } from './trace-links'

const VERDICTS: Record<Trace['verdict'], { title: string; tone: MessageTone }> = {
  allowed: { title: text.allowedTitle, tone: 'success' },
  denied: { title: text.deniedTitle, tone: 'danger' },
  unreachable: { title: text.unreachableTitle, tone: 'notice' },
}

const STEPS: Record<TraceStepKind, string> = {
  source_check: text.sourceCheckLabel,
  outbound_firewall: text.outboundFirewallLabel,
  route: text.routeStepLabel,
  gateway: text.gatewayStepLabel,
  nat: text.natStepLabel,
  destination_check: text.destinationCheckLabel,
  inbound_firewall: text.inboundFirewallLabel,
  delivery: text.deliveryLabel,
}

const RESULTS: Record<
  TraceStep['result'],
  {
    word: string
    icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
    tone: string
  }
> = {
  passed: { word: text.passedLabel, icon: CircleCheck, tone: 'text-success-text' },
  denied: { word: text.deniedLabel, icon: CircleX, tone: 'text-danger-text' },
  unreachable: { word: text.unreachableLabel, icon: CircleSlash, tone: 'text-notice-text' },
}

/** The summary without the verdict, which some summaries begin with: the title already says it. */
function withoutVerdict({ summary, verdict }: Trace): string {
  const start = `${capitalise(verdict)}: `
  return summary.startsWith(start) ? capitalise(summary.slice(start.length)) : summary
}

interface TraceAnswerProps {
  vpc: VpcParams
  /** The request that the trace answers. */
  request: TraceRequest
  trace: Trace
}

/** What happens to the packet and why, step by step. It takes the focus when it is mounted, so each answer needs a `key` of its own. */
export function TraceAnswer({ vpc, request, trace }: TraceAnswerProps) {
  const { title, tone } = VERDICTS[trace.verdict]
  const last = trace.steps.at(-1)
  const remedy = last && remedyOf(last, vpc)
  const id = useId()
  const section = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={section} aria-labelledby={id} className="scroll-mb-6 space-y-4">
      <h2 ref={heading} id={id} tabIndex={-1} className="rounded-sm text-base font-semibold">
        <span className="font-mono text-sm">
          {trace.source} → {trace.destination}
        </span>
        , {packetText(request)}
      </h2>
      <Message
        tone={tone}
        title={title}
        action={
          remedy && (
            <ButtonLink needs={null} to={remedy.href} variant="secondary" size="sm">
              {remedy.label}
            </ButtonLink>
          )
        }
      >
        {withoutVerdict(trace)}
      </Message>
      <ol className="rounded-md border border-line">
        {trace.steps.map((step, index) => (
          <Step key={index} step={step} vpc={vpc} />
        ))}
      </ol>
      {trace.verdict === 'allowed' && <p className="text-sm text-fg-muted">{text.repliesText}</p>}
    </section>
  )
}

function Step({ step, vpc }: { step: TraceStep; vpc: VpcParams }) {
  const { word, icon: Icon, tone } = RESULTS[step.result]
  return (
    <li className="flex gap-3 border-b border-line px-4 py-3 text-sm last:border-b-0">
      <Icon aria-hidden="true" className={cn('mt-0.5 size-4 shrink-0', tone)} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{STEPS[step.kind]}</span>
          <span className={cn('text-label', tone)}>{word}</span>
        </div>
        <p className="break-words text-fg-muted">{step.text}</p>
        <StepLinks step={step} vpc={vpc} />
      </div>
    </li>
  )
}

function StepLinks({ step, vpc }: { step: TraceStep; vpc: VpcParams }) {
  const links = linksOf(step, vpc)
  if (links.length === 0) return null
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
      {links.map(({ label, href }) => (
        <li key={label}>
          <Link
            href={href}
            className="rounded-sm text-xs text-fg underline decoration-line-strong underline-offset-3 hover:decoration-current"
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
