import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { beforeEach, it } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { GIB } from '~/lib/units'
import { SILO_FORM_DEFAULTS } from '~/resource/silo-form'
import type { SiloFormValues } from '~/resource/silo-form'

import { SiloSummary } from './-silo-summary'

const counts = (cpus: number, gib: number) => ({ cpus, memory: gib * GIB, storage: gib * GIB })

beforeEach(() => {
  queryClient.clear()
  configureTransport({
    host: '',
    fetch: (url) =>
      Promise.resolve(
        Response.json({
          items: String(url).includes('/sleds')
            ? [
                sled('in_service', 32, 64),
                // Nothing is placed on it any more.
                sled('expunged', 1000, 1000),
              ]
            : [{ allocated: counts(20, 40), provisioned: counts(0, 0) }],
        }),
      ),
  })
})

const sled = (kind: string, threads: number, gib: number) => ({
  id: kind,
  policy: { kind },
  usable_hardware_threads: threads,
  usable_physical_ram: gib * GIB,
})

function Form({ values }: { values: Partial<SiloFormValues> }) {
  const { control } = useForm<SiloFormValues>({
    defaultValues: { ...SILO_FORM_DEFAULTS, ...values },
  })
  return <SiloSummary control={control} />
}

const show = (values: Partial<SiloFormValues>) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Form values={values} />
    </QueryClientProvider>,
  )

it('compares the quotas with what the sleds have beside those of other silos', async () => {
  show({ cpus: 13, memory: 8, storage: 5 })
  await screen.findByText('13 of 12 unassigned')
  screen.getByText('8 GiB of 24 GiB unassigned')
  screen.getByText('5 GiB, others have 40 GiB')
  screen.getByText(/^That is more than the sleds have/)
})

it('says who can sign in, and what cannot be changed', async () => {
  show({ adminGroupName: 'admins', grantsFleetAdmin: true })
  await screen.findByText(/^People sign in with an identity provider/)
  screen.getByText('Members of the group admins of the provider administer the silo.')
  screen.getByText('Administrators of the silo administer the whole fleet, too.')
  screen.getByText(/^With a quota of 0/)
})

it('says of a certificate that it cannot be read', async () => {
  const unreadable = { name: 'main', description: '', service: 'external_api', cert: 'x', key: 'x' }
  show({ tlsCertificates: [unreadable as SiloFormValues['tlsCertificates'][number]] })
  const summary = within(await screen.findByRole('complementary'))
  summary.getByText('main')
  summary.getByText('Its content cannot be read')
})
