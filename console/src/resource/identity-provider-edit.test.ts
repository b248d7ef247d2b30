import { describe, expect, it } from 'vitest'

import type { SamlIdentityProviderSettings } from '~/api/generated/types.gen'

import {
  certificatePem,
  certificateState,
  fingerprint,
  identityProviderEditValues,
  identityProviderUpdateBody,
} from './identity-provider-edit'
import type { IdentityProviderEditValues } from './identity-provider-edit'

const at = new Date('2026-01-01T00:00:00Z')
const certificate = {
  sha256: 'ab01',
  subject: 'CN=idp',
  timeNotBefore: at,
  timeNotAfter: at,
  fromOldMetadata: false,
}
const provider: SamlIdentityProviderSettings = {
  id: 'x',
  name: 'corp',
  description: 'people',
  timeCreated: at,
  timeModified: at,
  enabled: true,
  allowUnsolicited: false,
  idpEntityId: 'urn:idp',
  spClientId: 'urn:croft',
  acsUrl: 'https://croft.example/acs',
  sloUrl: 'https://croft.example/slo',
  technicalContactEmail: 'it@corp.test',
  groupAttributeName: 'groups',
  metadataUrl: 'https://idp.example/metadata',
  ssoUrl: 'https://idp.example/sso',
  signingCertificates: [certificate],
  publicCert: null,
  nextPublicCert: null,
  timeLastSignIn: null,
}

/** The body for a change; what `JSON.stringify` leaves out is left out. */
const body = async (change: Partial<IdentityProviderEditValues>, before = provider) =>
  JSON.parse(
    JSON.stringify(
      await identityProviderUpdateBody(before, {
        ...identityProviderEditValues(before),
        ...change,
      }),
    ),
  ) as unknown

describe('the body of a change', () => {
  it('is empty when nothing was changed', async () => {
    expect(await body({})).toEqual({})
  })

  it('has what was changed and nothing else', async () => {
    expect(await body({ isEnabled: false, acsUrl: ' https://croft.example/new ' })).toEqual({
      enabled: false,
      acsUrl: 'https://croft.example/new',
    })
  })

  it('takes the attribute of groups away where the field is empty', async () => {
    expect(await body({ groupAttributeName: ' ' })).toEqual({ groupAttributeName: null })
  })

  it('says with new metadata what is to become of the old certificates', async () => {
    const metadataUrl = 'https://idp.example/new'
    expect(await body({ metadataSource: 'url', metadataUrl })).toEqual({
      idpMetadataSource: { type: 'url', url: metadataUrl },
      keepOldCertificates: true,
    })
    const metadataXml = new File(['<x/>'], 'metadata.xml')
    expect(
      await body({
        metadataSource: 'base64_encoded_xml',
        metadataXml,
        keepsOldCertificates: false,
      }),
    ).toEqual({
      idpMetadataSource: { type: 'base64_encoded_xml', data: btoa('<x/>') },
      keepOldCertificates: false,
    })
  })

  it('ends a change of the provider’s keys', async () => {
    const old = { ...certificate, sha256: 'cd', fromOldMetadata: true }
    const rotating = { ...provider, signingCertificates: [certificate, old] }
    expect(await body({}, rotating)).toEqual({})
    expect(await body({ keepsOldCertificates: false }, rotating)).toEqual({
      keepOldCertificates: false,
    })
    expect(await body({ keepsOldCertificates: false })).toEqual({})
  })

  it('gives, uses and removes key pairs', async () => {
    const [cert, key] = [new File(['c'], 'c.der'), new File(['k'], 'k.der')]
    expect(
      await body({ nextSigning: 'replace', nextSigningCert: cert, nextSigningKey: key }),
    ).toEqual({ nextSigningKeypair: { publicCert: btoa('c'), privateKey: btoa('k') } })
    expect(await body({ signing: 'use_next' })).toEqual({ useNextSigningKeypair: true })
    expect(await body({ signing: 'remove', nextSigning: 'remove' })).toEqual({
      signingKeypair: null,
      nextSigningKeypair: null,
    })
  })

  it('forgets files that were chosen before the mind was changed', async () => {
    const file = new File(['c'], 'c.der')
    expect(await body({ signing: 'keep', signingCert: file, signingKey: file })).toEqual({})
    expect(await body({ metadataSource: 'keep', metadataXml: file })).toEqual({})
  })
})

describe('certificateState', () => {
  it.each([
    ['2026-03-01T00:00:00Z', undefined],
    ['2026-01-31T00:00:01Z', undefined],
    ['2026-01-31T00:00:00Z', 'expiring'],
    ['2026-01-01T00:00:01Z', 'expiring'],
    ['2026-01-01T00:00:00Z', 'expired'],
    ['2025-01-01T00:00:00Z', 'expired'],
  ])('of one that ends at %s is %s', (ends, state) => {
    expect(certificateState(new Date(ends), at)).toBe(state)
  })
})

describe('certificatePem', () => {
  it('breaks the text after 64 characters', () => {
    expect(certificatePem(`${'A'.repeat(64)}BC==`)).toBe(
      `-----BEGIN CERTIFICATE-----\n${'A'.repeat(64)}\nBC==\n-----END CERTIFICATE-----\n`,
    )
  })
})

describe('fingerprint', () => {
  it('is in pairs', () => {
    expect(fingerprint('ab01ff')).toBe('AB:01:FF')
  })
})
