import { BookmarkX, Star, Unlink } from 'lucide-react'

import { call } from '~/api/call'
import { ipPoolSiloUnlink, ipPoolSiloUpdate } from '~/api/generated/operations'
import type { SiloIpPool } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import * as text from '~/messages/ip-pool-link'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { refreshLinks } from './silo-ip-pools'

/** The part of a pool that its link to a silo uses. */
type LinkedPool = Pick<SiloIpPool, 'id' | 'name' | 'isDefault'>

/**
 * The actions of a pool that is linked to a silo.
 *
 * @param silo name of the silo.
 * @param currentDefault the silo's default pool, if it is known.
 */
export function siloIpPoolActions(
  pool: LinkedPool,
  silo: string,
  currentDefault: Pick<SiloIpPool, 'name'> | undefined,
): Action[] {
  return [
    pool.isDefault
      ? {
          id: 'clear-default',
          label: text.clearDefaultLabel,
          icon: BookmarkX,
          destructive: true,
          needs: ipPoolSiloUpdate,
          perform: () => clearDefault(pool, silo),
        }
      : {
          id: 'make-default',
          label: text.makeDefaultLabel,
          icon: Star,
          needs: ipPoolSiloUpdate,
          perform: () => makeDefault(pool, silo, currentDefault),
        },
    {
      id: 'unlink',
      label: text.unlinkLabel,
      icon: Unlink,
      destructive: true,
      needs: ipPoolSiloUnlink,
      perform: () => unlink(pool, silo),
    },
  ]
}

// The server changes the default in one step. Clearing the old default first would leave the silo without one for a moment.
async function setDefault({ id }: LinkedPool, silo: string, isDefault: boolean) {
  await call(ipPoolSiloUpdate, { path: { pool: id, silo }, body: { isDefault } })
  await refreshLinks()
}

function makeDefault(
  pool: LinkedPool,
  silo: string,
  currentDefault: Pick<SiloIpPool, 'name'> | undefined,
): void {
  confirm({
    title: currentDefault ? text.changeDefaultTitle : text.makeDefaultTitle,
    body: currentDefault ? (
      <p>{text.changeDefaultQuestion(currentDefault.name, pool.name)}</p>
    ) : (
      <p>{text.makeDefaultQuestion(pool.name)}</p>
    ),
    tone: 'primary',
    action: () => setDefault(pool, silo, true),
    errorTitle: currentDefault ? text.changeDefaultErrorTitle : text.makeDefaultErrorTitle,
  })
}

function clearDefault(pool: LinkedPool, silo: string): void {
  confirm({
    title: text.clearDefaultTitle,
    body: <p>{text.clearDefaultQuestion(pool.name)}</p>,
    tone: 'danger',
    action: () => setDefault(pool, silo, false),
    errorTitle: text.clearDefaultErrorTitle,
  })
}

function unlink({ id, name }: LinkedPool, silo: string): void {
  confirm({
    title: text.unlinkTitle,
    body: (
      <>
        <p>{text.unlinkQuestion(name)}</p>
        <p>{text.unlinkHelp}</p>
      </>
    ),
    tone: 'danger',
    action: async () => {
      await call(ipPoolSiloUnlink, { path: { pool: id, silo } })
      await refreshLinks()
      toast({ content: text.unlinkedToast })
    },
    errorTitle: text.unlinkErrorTitle,
  })
}
