import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { floatingIpList } from '~/api/generated/operations'
import type { FloatingIp } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import * as common from '~/messages/common'
import * as text from '~/messages/instance-form-screens'
import type { InstanceFormValues } from '~/resource/instance-form'
import { Button } from '~/ui/button'
import { MiniTable } from '~/ui/form/mini-table'
import type { MiniTableColumn } from '~/ui/form/mini-table'
import { Message } from '~/ui/message'
import { onDemand } from '~/ui/on-demand'
import { Spinner } from '~/ui/spinner'

const FloatingIpDialog = onDemand(
  async () => (await import('~/resource/floating-ip-dialog')).FloatingIpDialog,
)

const columns: readonly MiniTableColumn<FloatingIp>[] = [
  { header: common.nameLabel, cell: ({ name }) => name },
  { header: text.ipLabel, cell: ({ ip }) => <span className="font-mono text-xs">{ip}</span> },
]

interface FloatingIpFieldsProps {
  project: string
  control: Control<InstanceFormValues>
}

/** Selects the floating IPs that are attached to the new instance. */
export function FloatingIpFields({ project, control }: FloatingIpFieldsProps) {
  const { field } = useController({ control, name: 'floatingIps' })
  const { data, error } = useQuery(q(floatingIpList, { query: { project, limit: allItems } }))
  const [isChoosing, setChoosing] = useState(false)
  const close = () => setChoosing(false)
  const add = ({ name }: FloatingIp) => {
    field.onChange([...field.value, name])
    close()
  }

  const all = data?.items ?? []
  const chosen = all.filter(({ name }) => field.value.includes(name))
  const free = all.filter((ip) => !ip.instanceId && !field.value.includes(ip.name))
  return (
    <div role="group" aria-labelledby="floating-ips" className="space-y-3">
      <h4 id="floating-ips" className="text-sm font-medium">
        {text.floatingIpsTitle}
      </h4>
      {error && (
        <Message tone="notice" title={text.floatingIpsFailedTitle}>
          {error.message}
        </Message>
      )}
      {!data && !error && <Spinner label={text.floatingIpsLoadingLabel} />}
      {data && all.length === 0 && (
        <p className="max-w-lg rounded-md border border-line px-4 py-5 text-center text-sm text-fg-muted">
          {text.noFloatingIpsText}
        </p>
      )}
      <MiniTable
        aria-label={text.floatingIpsLabel}
        columns={columns}
        items={chosen}
        rowKey={({ name }) => name}
        onRemove={({ name }) => field.onChange(field.value.filter((each) => each !== name))}
        removeLabel={({ name }) => text.removeFloatingIpLabel(name)}
      />
      {all.length > 0 && (
        <Button
          needs={null}
          variant="secondary"
          size="sm"
          disabledReason={free.length === 0 ? text.noFloatingIpsError : undefined}
          onPress={() => setChoosing(true)}
        >
          {text.attachFloatingIpLabel}
        </Button>
      )}
      {isChoosing && (
        <FloatingIpDialog
          floatingIps={free}
          consequence={text.floatingIpHelp}
          submitLabel={text.attachLabel}
          onSubmit={add}
          calls={null}
          onDismiss={close}
          onMissing={close}
          loading={false}
          submitError={null}
        />
      )}
    </div>
  )
}
