import { BookmarkX, Star, Unlink } from 'lucide-react'

import { call } from '~/api/call'
import { ipPoolSiloUnlink, ipPoolSiloUpdate } from '~/api/generated/operations'
import type { SiloIpPool } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { refreshLinks } from './silo-ip-pools'

/** The pool as far as its link to a silo goes. */
type LinkedPool = Pick<SiloIpPool, 'id' | 'name' | 'isDefault'>

/**
 * What can be done with a pool that is linked to a silo.
 *
 * @param silo name of the silo.
 * @param currentDefault the silo's default pool as far as it is known.
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
          label: 'Clear default',
          icon: BookmarkX,
          destructive: true,
          needs: ipPoolSiloUpdate,
          perform: () => clearDefault(pool, silo),
        }
      : {
          id: 'make-default',
          label: 'Make default',
          icon: Star,
          needs: ipPoolSiloUpdate,
          perform: () => makeDefault(pool, silo, currentDefault),
        },
    {
      id: 'unlink',
      label: 'Unlink',
      icon: Unlink,
      destructive: true,
      needs: ipPoolSiloUnlink,
      perform: () => unlink(pool, silo),
    },
  ]
}

// The server moves the mark in one step: clearing the old default first would leave a moment without one.
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
    title: currentDefault ? 'Confirm change default' : 'Confirm make default',
    body: currentDefault ? (
      <p>
        Are you sure you want to change the default pool from <b>{currentDefault.name}</b> to{' '}
        <b>{pool.name}</b>?
      </p>
    ) : (
      <p>
        Are you sure you want to make <b>{pool.name}</b> the default pool for this silo?
      </p>
    ),
    tone: 'primary',
    action: () => setDefault(pool, silo, true),
    errorTitle: currentDefault ? 'Could not change default' : 'Could not make default',
  })
}

function clearDefault(pool: LinkedPool, silo: string): void {
  confirm({
    title: 'Confirm clear default',
    body: (
      <p>
        Are you sure you want <b>{pool.name}</b> to stop being the default pool for this silo?
        Without a default pool, users must select a pool whenever they allocate an address.
      </p>
    ),
    tone: 'danger',
    action: () => setDefault(pool, silo, false),
    errorTitle: 'Could not clear default',
  })
}

function unlink({ id, name }: LinkedPool, silo: string): void {
  confirm({
    title: 'Confirm unlink pool',
    body: (
      <>
        <p>
          Are you sure you want to unlink <b>{name}</b>?
        </p>
        <p>
          Users in this silo can no longer allocate addresses from it. Unlinking fails while
          addresses from the pool are in use in the silo.
        </p>
      </>
    ),
    tone: 'danger',
    action: async () => {
      await call(ipPoolSiloUnlink, { path: { pool: id, silo } })
      await refreshLinks()
      toast({ content: 'IP pool unlinked' })
    },
    errorTitle: 'Could not unlink pool',
  })
}
