import { expect, it } from 'vitest'

import { certificateFacts } from './certificate'

/** Made by `openssl req -x509 -newkey ec`, for two hosts and an address. */
const FOR_HOSTS = `-----BEGIN CERTIFICATE-----
MIIBxzCCAW6gAwIBAgIUS1RGiEvj3rPsd22Lmpbm+dQn4GQwCgYIKoZIzj0EAwIw
HjEcMBoGA1UEAwwTd2ViLnN5cy5leGFtcGxlLmNvbTAeFw0yNjExMjYwMzA3MDha
Fw0zNjExMjMwMzA3MDhaMB4xHDAaBgNVBAMME3dlYi5zeXMuZXhhbXBsZS5jb20w
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASeGAImpRQt521TAMdBNiR+R8xDNE+k
Kuel9N2gcg/JcqSHg04wYQnfzdJCRv3hm0EyIsnq6/fzrBr9vWj1W/cCo4GJMIGG
MB0GA1UdDgQWBBR1U9U0qhc1QDKJ607NX49gcw5qdDAfBgNVHSMEGDAWgBR1U9U0
qhc1QDKJ607NX49gcw5qdDAPBgNVHRMBAf8EBTADAQH/MDMGA1UdEQQsMCqCE3dl
Yi5zeXMuZXhhbXBsZS5jb22CDSouZXhhbXBsZS5jb22HBAoAAAEwCgYIKoZIzj0E
AwIDRwAwRAIgSxbI5hPPrYGukchLRcWbcwmgAaIqjbxaGWIioE9OxO8CIAlUzTl0
HDhbPJEU2MJmlir402QpHGGz0djusA9HyTgj
-----END CERTIFICATE-----
`

/** For no hosts, valid beyond 2049, when the form of times changes. */
const LONG_VALID = `-----BEGIN CERTIFICATE-----
MIIBdDCCARmgAwIBAgIUE9C8MKGOJMfHT5ajjkq+ECxsjoEwCgYIKoZIzj0EAwIw
DjEMMAoGA1UEAwwDb2xkMCAXDTI2MTEyNjAzMDcwOFoYDzIwNTYxMTE4MDMwNzA4
WjAOMQwwCgYDVQQDDANvbGQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASOPgKl
3LxXc+D8WIyxLBUJDYxe47wWU1LoePKYESYrVWQ8nocOaQu+iWsQt7BrB4e1g2I3
80qDgRCAybsLskp2o1MwUTAdBgNVHQ4EFgQUoyYvU/o4pm30nvMCJzZJ3hjRsdQw
HwYDVR0jBBgwFoAUoyYvU/o4pm30nvMCJzZJ3hjRsdQwDwYDVR0TAQH/BAUwAwEB
/zAKBggqhkjOPQQDAgNJADBGAiEA+Ubb5pDSI+TePhCPyK6FQl36ou5jrkxrv639
OfXAQHACIQCckYo+qSqGMaQi6NdI+p0G9PPKv8kb7Z4kRwU2GgUKLA==
-----END CERTIFICATE-----
`

it('reads until when a certificate is valid, and for which hosts', () => {
  expect(certificateFacts(FOR_HOSTS)).toEqual({
    expires: new Date('2036-11-23T03:07:08Z'),
    hosts: ['web.sys.example.com', '*.example.com'],
  })
  expect(certificateFacts(LONG_VALID)).toEqual({
    expires: new Date('2056-11-18T03:07:08Z'),
    hosts: [],
  })
})

it('reads the first of several', () => {
  expect(certificateFacts(FOR_HOSTS + LONG_VALID)?.hosts).toHaveLength(2)
})

it.each([
  '',
  'no certificate',
  FOR_HOSTS.replaceAll('CERTIFICATE', 'PRIVATE KEY'),
  // Cut off, and no base64.
  `-----BEGIN CERTIFICATE-----\nMIIBxzCCAW6g\n-----END CERTIFICATE-----`,
  `-----BEGIN CERTIFICATE-----\nMII*\n-----END CERTIFICATE-----`,
  `-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----`,
])('reads nothing of other texts: %#', (text) => {
  expect(certificateFacts(text)).toBeUndefined()
})
