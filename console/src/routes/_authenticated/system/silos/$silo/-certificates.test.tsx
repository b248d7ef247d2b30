import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'

import { certificatePem, fingerprint } from '~/resource/identity-provider-edit'

import { CertificateList } from './-certificate-list'
import { PublicCertificate } from './-public-certificate'

const certificate = {
  sha256: 'ab01'.repeat(16),
  subject: 'CN=idp.test',
  timeNotBefore: new Date('2026-01-01T00:00:00Z'),
  timeNotAfter: new Date('2027-01-01T00:00:00Z'),
  fromOldMetadata: false,
}

it('shows and copies the whole fingerprint of a signing certificate', async () => {
  const user = userEvent.setup()
  render(<CertificateList certificates={[certificate]} />)
  expect(screen.getByText(fingerprint(certificate.sha256))).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Copy fingerprint' }))
  expect(await navigator.clipboard.readText()).toBe(fingerprint(certificate.sha256))
})

it('shows and copies the whole of a certificate of our own', async () => {
  const user = userEvent.setup()
  const base64 = 'MIIC'.repeat(200)
  render(<PublicCertificate which="next" value={base64} />)
  const text = screen.getByRole('region', { name: 'Next certificate' }).textContent
  expect(text).toBe(certificatePem(base64))
  await user.click(screen.getByRole('button', { name: 'Copy next certificate' }))
  expect(await navigator.clipboard.readText()).toBe(text)
})

it('says that there is none', () => {
  render(<PublicCertificate which="next" value={null} />)
  expect(screen.getByText('None')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
