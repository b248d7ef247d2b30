import {
  ipPoolCreate,
  ipPoolRangeAdd,
  ipPoolSiloLink,
  localIdpUserCreate,
  samlIdentityProviderCreate,
  siloCreate,
  sledAdd,
  supportBundleCreate,
  systemUpdatePutRepository,
  systemUpdateTrustRootCreate,
  webhookReceiverCreate,
} from '~/api/generated/operations'
import type {
  AlertReceiver,
  IpPool,
  IpPoolRange,
  IpPoolSiloLink,
  SamlIdentityProviderSettings,
  Silo,
  SiloQuotas,
  Sled,
  SupportBundleInfo,
  TufRepoGetResponse,
  User,
} from '~/api/generated/types.gen'
import * as text from '~/messages/as-code'

import type { Call } from './call'
import { callOf } from './remake'

// The calls that make again what belongs to no project.

/** Stands for what nobody can read. Code has a placeholder in its place. */
const UNKNOWN = ''

export const makeSilo = (
  { name, description, discoverable, identityMode, mappedFleetRoles }: Silo,
  { cpus, memory, storage }: SiloQuotas,
): Call =>
  callOf(siloCreate, {
    body: {
      name,
      description,
      discoverable,
      identityMode,
      mappedFleetRoles,
      quotas: { cpus, memory, storage },
      tlsCertificates: [],
    },
  })

/** @param silos the names of the silos that it is linked to, in the order of the links. */
export const makeIpPool = (
  { name, description }: IpPool,
  ranges: readonly IpPoolRange[],
  links: readonly IpPoolSiloLink[],
  silos: readonly string[],
): Call[] => {
  const path = { pool: name }
  return [
    callOf(ipPoolCreate, { body: { name, description } }),
    ...ranges.map(({ range }) => callOf(ipPoolRangeAdd, { path, body: range })),
    ...links.map(({ siloId, isDefault }, index) =>
      callOf(ipPoolSiloLink, { path, body: { silo: silos[index] ?? siloId, isDefault } }),
    ),
  ]
}

export const makeReceiver = ({ name, description, subscriptions, kind }: AlertReceiver): Call =>
  callOf(webhookReceiverCreate, {
    body: {
      name,
      description,
      endpoint: kind.endpoint,
      secrets: kind.secrets.map(() => UNKNOWN),
      subscriptions,
    },
  })

export const makeIdentityProvider = (
  { metadataUrl, publicCert, ...provider }: SamlIdentityProviderSettings,
  silo: string,
): Call => {
  const { name, description, acsUrl, sloUrl, spClientId, idpEntityId } = provider
  const { technicalContactEmail, groupAttributeName } = provider
  const made = callOf(samlIdentityProviderCreate, {
    query: { silo },
    body: {
      name,
      description,
      acsUrl,
      sloUrl,
      spClientId,
      idpEntityId,
      technicalContactEmail,
      groupAttributeName,
      idpMetadataSource: metadataUrl
        ? { type: 'url', url: metadataUrl }
        : { type: 'base64_encoded_xml', data: '$METADATA' },
      ...(publicCert && { signingKeypair: { privateKey: UNKNOWN, publicCert } }),
    },
  })
  return metadataUrl ? made : { ...made, note: text.metadataHelp }
}

export const makeLocalUser = ({ displayName }: User, silo: string): Call =>
  callOf(localIdpUserCreate, {
    query: { silo },
    body: { externalId: displayName, password: { mode: 'password', value: UNKNOWN } },
  })

export const makeBundle = ({ userComment }: SupportBundleInfo): Call =>
  callOf(supportBundleCreate, { body: { userComment } })

/** Sleds are not made: one that is in the rack is added. */
export const addSled = ({ baseboard: { part, serial } }: Sled): Call =>
  callOf(sledAdd, { body: { part, serial } })

/** Sends the archive that it came from, which is not kept. */
export const uploadRelease = ({ description: { repo } }: TufRepoGetResponse): Call => {
  const { fileName } = repo
  return callOf(systemUpdatePutRepository, {
    query: { fileName },
    body: new File([], fileName),
  })
}

export const makeTrustRoot = (role: string): Call => ({
  operation: systemUpdateTrustRootCreate,
  input: {},
  text: role,
})
