import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { siloCreate, siloUtilizationList, sledList } from '~/api/generated/operations'
import type { Sled } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { certificateFacts } from '~/lib/certificate'
import type { CertificateFacts } from '~/lib/certificate'
import { formatDate } from '~/lib/dates'
import { formatInteger } from '~/lib/numbers'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/silo-summary-screens'
import { Fact, Facts, FormSummary, SummarySection } from '~/resource/form-summary'
import { gibToBytes } from '~/resource/silo-form'
import type { SiloFormValues } from '~/resource/silo-form'
import { totalUtilization } from '~/resource/silo-utilization'
import { useNow } from '~/ui/use-now'

/** What a new silo may use beside the others, who can sign in to it, and its certificates. */
export function SiloSummary({ control }: { control: Control<SiloFormValues> }) {
  const values = useWatch({ control }) as SiloFormValues
  const now = useNow()
  const certificates = values.tlsCertificates.map(({ name, cert }) => ({
    name,
    facts: certificateFacts(cert),
  }))
  return (
    <FormSummary
      needs={siloCreate}
      problems={certificates.map(({ name, facts }) =>
        facts && +facts.expires < now ? text.expiredError(name) : undefined,
      )}
    >
      <Quotas {...values} />
      <SignIn {...values} />
      <SummarySection title={text.certificatesTitle}>
        {certificates.length === 0 && <p className="text-fg-muted">{text.noCertificatesText}</p>}
        <Facts>
          {certificates.map(({ name, facts }) => (
            <Certificate key={name} name={name} facts={facts} />
          ))}
        </Facts>
      </SummarySection>
    </FormSummary>
  )
}

function Quotas({ cpus, memory, storage }: SiloFormValues) {
  const fleet = useFleet()
  const quota = { cpus: cpus ?? 0, memory: gibToBytes(memory), storage: gibToBytes(storage) }
  const isBeyond =
    fleet?.left !== undefined && (quota.cpus > fleet.left.cpus || quota.memory > fleet.left.memory)
  const hasNone = Object.values(quota).includes(0)
  return (
    <SummarySection title={text.quotaTitle}>
      <Facts>
        <Fact label={text.cpusLabel} isWrong={fleet?.left && quota.cpus > fleet.left.cpus}>
          {fleet?.left
            ? text.ofFleetText(formatInteger(quota.cpus), formatInteger(fleet.left.cpus))
            : formatInteger(quota.cpus)}
        </Fact>
        <Fact label={text.memoryLabel} isWrong={fleet?.left && quota.memory > fleet.left.memory}>
          {fleet?.left
            ? text.ofFleetText(formatBytes(quota.memory), formatBytes(fleet.left.memory))
            : formatBytes(quota.memory)}
        </Fact>
        <Fact label={text.storageLabel}>
          {fleet
            ? text.besideText(formatBytes(quota.storage), formatBytes(fleet.allocated.storage))
            : formatBytes(quota.storage)}
        </Fact>
      </Facts>
      {isBeyond && <p className="text-notice-text">{text.beyondHelp}</p>}
      {hasNone && <p className="text-fg-muted">{text.noQuotaHelp}</p>}
    </SummarySection>
  )
}

const isInService = ({ policy }: Sled) => policy.kind === 'in_service'

/**
 * The quotas of all silos, and what the sleds have beside them. Not how much storage that is: disks are kept several times, with a
 * reserve, as the operator has set.
 */
function useFleet() {
  const query = { limit: allItems }
  const silos = useQuery(q(siloUtilizationList, { query }, { allowNotFound: true }))
  const sleds = useQuery(q(sledList, { query }, { allowNotFound: true }))
  if (!silos.data) return undefined
  const { allocated } = totalUtilization(silos.data.items)
  const inService = sleds.data?.items.filter(isInService)
  const sum = (amount: (sled: Sled) => number) =>
    (inService ?? []).reduce((total, sled) => total + amount(sled), 0)
  return {
    allocated,
    left: inService && {
      cpus: Math.max(0, sum((sled) => sled.usableHardwareThreads) - allocated.cpus),
      memory: Math.max(0, sum((sled) => sled.usablePhysicalRam) - allocated.memory),
    },
  }
}

function SignIn({
  identityMode,
  adminGroupName,
  grantsFleetAdmin,
  grantsFleetViewer,
}: SiloFormValues) {
  const group = adminGroupName.trim()
  return (
    <SummarySection title={text.signInTitle}>
      <div className="space-y-1.5 text-fg-muted">
        <p>{text.modeHelp[identityMode]}</p>
        <p>{group ? text.adminGroupHelp(group) : text.noAdminGroupHelp}</p>
        {grantsFleetAdmin && <p className="text-notice-text">{text.fleetAdminHelp}</p>}
        {grantsFleetViewer && <p>{text.fleetViewerHelp}</p>}
        <p>{text.forGoodHelp}</p>
      </div>
    </SummarySection>
  )
}

interface CertificateProps {
  name: string
  facts: CertificateFacts | undefined
}

function Certificate({ name, facts }: CertificateProps) {
  const now = useNow()
  if (!facts) return <Fact label={name}>{text.unreadableText}</Fact>
  const { expires, hosts } = facts
  return (
    <Fact label={name} isWrong={+expires < now}>
      {text.expiryText(formatDate(expires))}
      {hosts.length > 0 && <span className="block text-fg-muted">{text.hostsText(hosts)}</span>}
    </Fact>
  )
}
