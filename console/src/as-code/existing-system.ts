import { call } from '~/api/call'
import { callForText } from '~/api/files'
import {
  alertReceiverView,
  ipPoolRangeList,
  ipPoolSiloList,
  ipPoolView,
  physicalDiskView,
  rackView,
  samlIdentityProviderSettingsView,
  siloQuotasView,
  siloUserView,
  siloView,
  sledView,
  supportBundleView,
  switchView,
  systemUpdateGetRepository,
  systemUpdateTrustRootView,
} from '~/api/generated/operations'
import { roleText } from '~/resource/trust-root'

import { read } from './existing-read'
import type { Existing } from './existing-read'
import { wholeList } from './list-reader'
import { callOf } from './remake'
import * as remake from './remake-system'
import type { SystemSubject } from './subject'

/** The calls of something that belongs to no project. */
export function inSystem(subject: SystemSubject): Promise<Existing> {
  switch (subject.kind) {
    case 'silo': {
      const path = { silo: subject.name }
      return read(siloView, { path }, async (silo) =>
        remake.makeSilo(silo, await call(siloQuotasView, { path })),
      )
    }
    case 'ip-pool': {
      const path = { pool: subject.name }
      return read(ipPoolView, { path }, async (pool, names) => {
        const [ranges, links] = await Promise.all([
          wholeList(ipPoolRangeList, { path }),
          wholeList(ipPoolSiloList, { path }),
        ])
        const silos = await Promise.all(links.map(({ siloId }) => names.silo(siloId)))
        return remake.makeIpPool(pool, ranges, links, silos)
      })
    }
    case 'alert-receiver':
      return read(alertReceiverView, { path: { receiver: subject.name } }, remake.makeReceiver)
    case 'identity-provider': {
      const input = { path: { provider: subject.name }, query: { silo: subject.silo } }
      return read(samlIdentityProviderSettingsView, input, (provider) =>
        remake.makeIdentityProvider(provider, subject.silo),
      )
    }
    case 'local-user': {
      const query = { silo: subject.silo }
      return read(siloUserView, { path: { userId: subject.id }, query }, (user) =>
        remake.makeLocalUser(user, subject.silo),
      )
    }
    case 'support-bundle':
      return read(supportBundleView, { path: { bundleId: subject.id } }, remake.makeBundle)
    case 'sled':
      return read(sledView, { path: { sledId: subject.id } }, remake.addSled)
    case 'rack':
      return read(rackView, { path: { rackId: subject.id } }, onlyRead)
    case 'switch':
      return read(switchView, { path: { switchId: subject.id } }, onlyRead)
    case 'physical-disk':
      return read(physicalDiskView, { path: { diskId: subject.id } }, onlyRead)
    case 'release': {
      const path = { systemVersion: subject.version }
      return read(systemUpdateGetRepository, { path }, remake.uploadRelease)
    }
    case 'trust-root':
      return trustRoot(subject.id)
  }
}

/** Hardware is there: no call makes it. */
const onlyRead = () => []

/** The role is read as a text: names in it are not to be changed. */
async function trustRoot(trustRootId: string): Promise<Existing> {
  const input = { path: { trustRootId } }
  const { text } = await callForText(systemUpdateTrustRootView, input)
  return { calls: [callOf(systemUpdateTrustRootView, input), remake.makeTrustRoot(roleText(text))] }
}
