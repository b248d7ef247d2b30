import { BookmarkX, Star, Unlink } from 'lucide-react'

import { ipPoolSiloUnlink, ipPoolSiloUpdate } from '~/api/generated/operations'
import type { SiloIpPool } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
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
function defaultUpdate({ id }: LinkedPool, silo: string, isDefault: boolean) {
  const update = planned(ipPoolSiloUpdate, { path: { pool: id, silo }, body: { isDefault } })
  return {
    calls: [update],
    action: async () => {
      await update.send()
      await refreshLinks()
    },
  }
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
    ...defaultUpdate(pool, silo, true),
    errorTitle: currentDefault ? text.changeDefaultErrorTitle : text.makeDefaultErrorTitle,
  })
}

function clearDefault(pool: LinkedPool, silo: string): void {
  confirm({
    title: text.clearDefaultTitle,
    body: <p>{text.clearDefaultQuestion(pool.name)}</p>,
    tone: 'danger',
    ...defaultUpdate(pool, silo, false),
    errorTitle: text.clearDefaultErrorTitle,
  })
}

function unlink({ id, name }: LinkedPool, silo: string): void {
  const end = planned(ipPoolSiloUnlink, { path: { pool: id, silo } })
  confirm({
    title: text.unlinkTitle,
    body: (
      <>
        <p>{text.unlinkQuestion(name)}</p>
        <p>{text.unlinkHelp}</p>
      </>
    ),
    tone: 'danger',
    calls: [end],
    action: async () => {
      await end.send()
      await refreshLinks()
      toast({ content: text.unlinkedToast })
    },
    errorTitle: text.unlinkErrorTitle,
  })
}
