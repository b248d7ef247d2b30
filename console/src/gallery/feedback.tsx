import { HardDrive, Plus } from 'lucide-react'
import { useState } from 'react'

import { Row, Specimen } from '~/gallery/specimen'
import { Button } from '~/ui/button'
import { CapacityBar } from '~/ui/capacity-bar'
import { CardBlock } from '~/ui/card-block'
import { CopyButton } from '~/ui/copy-button'
import { EmptyMessage } from '~/ui/empty-message'
import type { ErrorPageKind } from '~/ui/error-page'
import { ErrorPage } from '~/ui/error-page'
import { LoadingBar } from '~/ui/loading-bar'
import type { MessageTone } from '~/ui/message'
import { Message } from '~/ui/message'
import { ProgressBar } from '~/ui/progress-bar'
import { ContentSkeleton } from '~/ui/skeleton'

const requestId = '4f9c2c1e-5b0a-4f0d-9e53-9f3b1b7d2a10'
const tones: MessageTone[] = ['info', 'success', 'notice', 'danger']

function LoadingBars() {
  const [isLoading, setLoading] = useState(false)
  return (
    <Specimen title="Loading bar">
      <LoadingBar isLoading={isLoading} />
      <Row>
        <Button needs={null} variant="secondary" onPress={() => setLoading(!isLoading)}>
          {isLoading ? 'Finish' : 'Start'}
        </Button>
      </Row>
    </Specimen>
  )
}

/** Loading, empty, failed and full. */
export function Feedback() {
  const [error, setError] = useState<ErrorPageKind | null>(null)
  return (
    <>
      <Specimen title="Message">
        <div className="grid gap-3 md:grid-cols-2">
          {tones.map((tone) => (
            <Message key={tone} tone={tone} title={tone === 'info' ? undefined : 'Quota reached'}>
              The silo has 2 of 50 vCPUs left. <a href="#message">Ask for more</a>.
            </Message>
          ))}
        </div>
      </Specimen>
      <Specimen title="Empty message">
        <div className="rounded-md border border-line py-8">
          <EmptyMessage
            icon={<HardDrive />}
            title="No disks"
            body="Create a disk to give an instance more room."
            action={
              <Button needs={null} variant="secondary" size="sm">
                <Plus aria-hidden="true" />
                New disk
              </Button>
            }
          />
        </div>
      </Specimen>
      <Specimen title="Skeleton">
        <ContentSkeleton />
      </Specimen>
      <LoadingBars />
      <Specimen title="Capacity bar">
        <div className="grid gap-3 md:grid-cols-3">
          <CapacityBar title="CPU" unit="vCPUs" provisioned={20} capacity={50} />
          <CapacityBar title="Memory" unit="GiB" provisioned={210} capacity={300} />
          <CapacityBar
            title="Storage"
            unit="TiB"
            provisioned={6.42}
            capacity={7}
            capacityLabel="Quota"
          />
        </div>
      </Specimen>
      <Specimen title="Progress bar">
        <ProgressBar label="Upload progress" percent={42} className="w-72" />
      </Specimen>
      <Specimen title="Card block">
        <CardBlock
          title="Boot disk"
          description="The disk that the instance starts from."
          actions={
            <Button needs={null} variant="secondary" size="sm">
              Set boot disk
            </Button>
          }
          footer={
            <>
              Learn more about <a href="#card-block">disks</a>
            </>
          }
        >
          <p className="text-sm text-fg-muted">No boot disk set.</p>
        </CardBlock>
      </Specimen>
      <Specimen title="Error page">
        <Row>
          <Button needs={null} variant="secondary" onPress={() => setError('not-found')}>
            Show page not found
          </Button>
          <Button needs={null} variant="secondary" onPress={() => setError('failed')}>
            Show something went wrong
          </Button>
        </Row>
        {error && (
          <div className="fixed inset-0 z-modal">
            <ErrorPage
              kind={error}
              onSignOut={() => setError(null)}
              requestId={error === 'failed' ? requestId : undefined}
              copyButton={<CopyButton value={requestId} />}
              notice={
                error === 'failed' && (
                  <Message tone="notice">
                    You are not in any groups and have no role on the silo.
                  </Message>
                )
              }
            />
          </div>
        )}
      </Specimen>
    </>
  )
}
