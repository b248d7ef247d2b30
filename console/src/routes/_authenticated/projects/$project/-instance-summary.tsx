import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { instanceCreate, instancePreview } from '~/api/generated/operations'
import type {
  InstanceCreate,
  InstancePreview,
  InstancePreviewInterface,
  InstancePreviewRefusal,
  InstancePreviewRule,
} from '~/api/generated/types.gen'
import { qWithBody } from '~/api/query'
import { generateName } from '~/lib/generate-name'
import { formatInteger } from '~/lib/numbers'
import { capitalise } from '~/lib/text'
import { validateName } from '~/lib/validate-name'
import * as shared from '~/messages/form-summary'
import * as text from '~/messages/instance-summary-screens'
import { inboundTraffic } from '~/resource/firewall-rule-words'
import { AmountFact, Facts, SummaryFrame, SummarySection } from '~/resource/form-summary'
import { constraintLink } from '~/resource/instance-activity'
import { instanceCreateBody } from '~/resource/instance-form'
import type { BootImage, InstanceFormValues } from '~/resource/instance-form'
import { Link } from '~/ui/link'
import { Message } from '~/ui/message'
import { useRefusal } from '~/ui/refusal-context'

/** How long the form rests before the server is asked, in milliseconds. */
const REST = 400

interface InstanceSummaryProps {
  project: string
  control: Control<InstanceFormValues>
  images: readonly BootImage[]
}

/** What would come of the form, as the server says while it is filled in. */
export function InstanceSummary(props: InstanceSummaryProps) {
  const isRefused = useRefusal()(instanceCreate) !== undefined
  return isRefused ? null : <Summary {...props} />
}

function Summary({ project, control, images }: InstanceSummaryProps) {
  const values = useWatch({ control }) as InstanceFormValues
  const body = useRestingBody(values, images)
  const { data, error } = useQuery({
    ...qWithBody(
      instancePreview,
      { query: { project }, body: body ?? ({} as InstanceCreate) },
      { allowNotFound: true },
    ),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <SummaryFrame className="max-w-3xl space-y-5 xl:sticky xl:top-6 xl:w-80 xl:shrink-0">
      <div role="status">
        {!body && <Message tone="notice">{text.invalidText}</Message>}
        {body && error && (
          <Message tone="notice" title={text.failedTitle}>
            {error.message}
          </Message>
        )}
        {body && !error && (
          <Outcome
            preview={data}
            project={project}
            starts={values.start}
            hasBootDisk={body.bootDisk !== undefined}
          />
        )}
      </div>
      {data && body && !error && <Details preview={data} />}
    </SummaryFrame>
  )
}

function Outcome({
  preview,
  project,
  starts,
  hasBootDisk,
}: {
  preview: InstancePreview | undefined
  project: string
  starts: boolean
  hasBootDisk: boolean
}) {
  if (!preview) return <p className="text-fg-muted">{text.checkingText}</p>
  const { refusal, startRefusal } = preview
  if (refusal) {
    return (
      <Message tone="notice" title={text.refusedTitle}>
        <Refusal project={project} {...refusal} />
      </Message>
    )
  }
  if (startRefusal && starts) {
    return (
      <Message tone="notice" title={text.notStartedTitle}>
        <Refusal project={project} {...startRefusal} />
      </Message>
    )
  }
  if (!hasBootDisk) return <Message tone="info">{text.noBootDiskText}</Message>
  return <Message tone="success">{starts ? text.readyToStartText : text.readyText}</Message>
}

function Refusal({
  project,
  message,
  advice,
  constraint,
}: InstancePreviewRefusal & { project: string }) {
  const cause = constraint && constraintLink(constraint, project)
  return (
    <div className="space-y-1">
      <p>{message}</p>
      {advice && <p>{advice}</p>}
      {cause?.href && (
        <p>
          <Link href={cause.href}>{cause.text}</Link>
        </p>
      )}
    </div>
  )
}

function Details({
  preview: { quota, interfaces, externalIps, refusal },
}: {
  preview: InstancePreview
}) {
  return (
    <>
      <SummarySection title={shared.quotaTitle}>
        <Facts>
          <AmountFact label={text.cpusLabel} amount={quota.cpus} format={formatInteger} />
          <AmountFact label={text.memoryLabel} amount={quota.memory} />
          <AmountFact label={text.storageLabel} amount={quota.storage} />
        </Facts>
        <p className="text-fg-muted">{text.whileRunningText}</p>
      </SummarySection>
      {!refusal && <Network interfaces={interfaces} externalIps={externalIps} />}
      <p className="text-fg-muted">{text.nothingReservedText}</p>
    </>
  )
}

function Network({ interfaces, externalIps }: Pick<InstancePreview, 'interfaces' | 'externalIps'>) {
  const [primary] = interfaces
  return (
    <>
      <SummarySection title={text.networkTitle}>
        {!primary && <p className="text-fg-muted">{text.noInterfaceText}</p>}
        {interfaces.map((each) => (
          <Interface key={each.name} {...each} />
        ))}
        {primary && (
          <dl className="grid grid-cols-[auto_1fr] gap-x-4">
            <dt className="text-fg-subtle">{text.externalLabel}</dt>
            <dd className="text-right break-words">
              {externalIps.length === 0 ? (
                text.noExternalText
              ) : (
                <span className="font-mono text-xs">{externalIps.join(', ')}</span>
              )}
            </dd>
          </dl>
        )}
      </SummarySection>
      {primary && (
        <SummarySection title={text.inboundTitle}>
          <Rules rules={primary.inboundRules} />
        </SummarySection>
      )}
    </>
  )
}

function Interface({ vpcName, subnetName, ip }: InstancePreviewInterface) {
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-4 break-words">
      <span className="text-fg-subtle">{text.subnetText(vpcName, subnetName)}</span>
      <span className="font-mono text-xs">{ip}</span>
    </p>
  )
}

function Rules({ rules }: { rules: readonly InstancePreviewRule[] }) {
  if (!rules.some(({ action }) => action === 'allow')) {
    return <p className="text-fg-muted">{text.nothingText}</p>
  }
  return (
    <ul className="space-y-1">
      {rules.map(({ name, action, hosts, protocols, ports }) => {
        const traffic = inboundTraffic({
          hosts: hosts ?? [],
          protocols: protocols ?? [],
          ports: ports ?? [],
        })
        return (
          <li key={name} className="break-words">
            {action === 'allow' ? capitalise(traffic) : text.deniedText(traffic)}
            <span className="block text-fg-muted">{text.ruleLabel(name)}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** A label of a host name (RFC 1035, section 2.3.1). */
const HOST_LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i

/** Whether the server can be asked: what is not a number or a name at all, it does not take. */
function hasValidValues({
  hardware,
  ncpus,
  memory,
  bootDiskSize,
  bootDiskName,
  hostname,
}: InstanceFormValues) {
  const isSize = (value: number) => Number.isInteger(value) && value > 0
  return (
    (hardware !== 'custom' || (isSize(ncpus) && isSize(memory))) &&
    isSize(bootDiskSize) &&
    validateName(bootDiskName, undefined, false) === undefined &&
    (hostname === '' || hostname.split('.').every((label) => HOST_LABEL.test(label)))
  )
}

/** The body for the server, once the form has not been touched for a moment; `undefined` while values are not valid. */
function useRestingBody(values: InstanceFormValues, images: readonly BootImage[]) {
  // Stands for a name that is missing, or not valid yet.
  const [unnamed] = useState(() => generateName('instance'))
  const bodyOf = () => previewBody(values, images, unnamed)
  const [body, setBody] = useState(bodyOf)
  const ask = useEffectEvent(() => setBody(bodyOf()))
  const state = JSON.stringify(values)
  const [asked, setAsked] = useState(state)
  useEffect(() => {
    if (state === asked) return
    const timer = setTimeout(() => {
      setAsked(state)
      ask()
    }, REST)
    return () => clearTimeout(timer)
  }, [state, asked])
  return body
}

/** A boot disk that is not chosen yet is left out, so that everything else can be checked. */
function previewBody(
  values: InstanceFormValues,
  images: readonly BootImage[],
  unnamed: string,
): InstanceCreate | undefined {
  if (!hasValidValues(values)) return undefined
  const name = validateName(values.name) === undefined ? values.name : unnamed
  const body = instanceCreateBody({ ...values, name }, { images })
  const { bootDisk } = body
  const isMissing =
    bootDisk?.type === 'create'
      ? bootDisk.diskSource.type === 'image' && !bootDisk.diskSource.imageId
      : bootDisk?.name === ''
  return isMissing ? { ...body, bootDisk: undefined } : body
}
