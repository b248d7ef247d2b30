import { describe, expect, it } from 'vitest'

import {
  IDENTITY_PROVIDER_FORM_DEFAULTS,
  identityProviderCreateBody,
  standardAcsUrl,
  urlProblem,
} from './identity-provider-form'
import type { IdentityProviderFormValues } from './identity-provider-form'

const page = (url: string) => {
  const { protocol, hostname, port, origin } = new URL(url)
  return { protocol, hostname, port, origin }
}

describe('standardAcsUrl', () => {
  it('is under the silo’s own host name where the page is under one', () => {
    expect(standardAcsUrl('maze', 'okta', page('https://a.sys.r3.example.com/system'))).toBe(
      'https://maze.sys.r3.example.com/login/maze/saml/okta',
    )
    expect(standardAcsUrl('maze', 'okta', page('https://a.sys.r3.example.com:8443/'))).toBe(
      'https://maze.sys.r3.example.com:8443/login/maze/saml/okta',
    )
  })

  it('is the path under the page’s own address otherwise', () => {
    expect(standardAcsUrl('maze', 'okta', page('http://127.0.0.1:12220/system'))).toBe(
      'http://127.0.0.1:12220/login/maze/saml/okta',
    )
  })

  it('stands in for a name that is not entered yet', () => {
    expect(standardAcsUrl('maze', '', page('https://croft.example'))).toBe(
      'https://croft.example/login/maze/saml/idp-name',
    )
  })
})

describe('urlProblem', () => {
  it('takes web addresses and leaves emptiness to the field', () => {
    expect(urlProblem('')).toBeUndefined()
    expect(urlProblem('https://idp.example/metadata')).toBeUndefined()
    expect(urlProblem('idp.example')).toMatch(/Must be a URL/)
    expect(urlProblem('javascript:alert(1)')).toMatch(/Must be a URL/)
  })
})

describe('identityProviderCreateBody', () => {
  const body = (values: Partial<IdentityProviderFormValues>) =>
    identityProviderCreateBody({ ...IDENTITY_PROVIDER_FORM_DEFAULTS, name: 'okta', ...values })

  it('takes the metadata from a URL', async () => {
    await expect(body({ metadataUrl: ' https://idp.example/m ' })).resolves.toMatchObject({
      idpMetadataSource: { type: 'url', url: 'https://idp.example/m' },
      signingKeypair: undefined,
      groupAttributeName: undefined,
    })
  })

  it('takes the metadata from a file', async () => {
    const metadataXml = new File(['<m/>'], 'metadata.xml')
    await expect(
      body({ metadataSource: 'base64_encoded_xml', metadataXml }),
    ).resolves.toMatchObject({
      idpMetadataSource: { type: 'base64_encoded_xml', data: 'PG0vPg==' },
    })
  })

  it('sends the signing key pair as base64', async () => {
    const publicCert = new File(['cert'], 'cert.der')
    const privateKey = new File(['key'], 'key.der')
    await expect(
      body({ publicCert, privateKey, groupAttributeName: 'groups' }),
    ).resolves.toMatchObject({
      signingKeypair: { publicCert: 'Y2VydA==', privateKey: 'a2V5' },
      groupAttributeName: 'groups',
    })
  })
})
