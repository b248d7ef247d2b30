import { Download, Pencil, Trash2 } from 'lucide-react'

import { operationUrl } from '~/api/client'
import {
  supportBundleDelete,
  supportBundleDownload,
  supportBundleDownloadFile,
  supportBundleList,
  supportBundleUpdate,
} from '~/api/generated/operations'
import type { SupportBundleInfo } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction } from '~/app/resource-actions'
import { download } from '~/lib/download'
import * as common from '~/messages/common'
import * as text from '~/messages/support-bundle'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'
import { archiveName, downloadRefusal } from './support-bundle'

interface SupportBundleContext {
  openEdit: (bundle: SupportBundleInfo) => void
  /** Leaves the page of the bundle before it is deleted. */
  leave?: () => Promise<unknown>
}

/** URL of the whole archive of a bundle. */
export const archiveUrl = (bundleId: string): string =>
  operationUrl(supportBundleDownload, { path: { bundleId } })

/** URL of a single file of a bundle. */
export const fileUrl = (bundleId: string, file: string): string =>
  operationUrl(supportBundleDownloadFile, { path: { bundleId, file } })

/** The last part of a path, used as the name of the downloaded file. */
export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The actions of a support bundle, in the list or on its own page. */
export function supportBundleActions(
  bundle: SupportBundleInfo,
  { openEdit, leave }: SupportBundleContext,
): Action[] {
  const { id, state } = bundle
  const remove = () =>
    askToDelete({
      kind: 'support-bundle',
      label: <b className="font-mono text-sm break-all">{id}</b>,
      extra: state === 'collecting' ? text.deleteCollectingHelp : text.deleteHelp,
      send: planned(supportBundleDelete, { path: { bundleId: id } }),
      leave,
      done: async () => {
        await invalidate(supportBundleList)
        toast({ content: text.deletingToast })
      },
    })
  return [
    {
      id: `support-bundle-download-${id}`,
      label: common.downloadLabel,
      icon: Download,
      disabledReason: downloadRefusal(bundle),
      needs: supportBundleDownload,
      perform: () => download(archiveUrl(id), archiveName(id)),
    },
    {
      id: `support-bundle-edit-${id}`,
      label: text.editCommentLabel,
      icon: Pencil,
      needs: supportBundleUpdate,
      perform: () => openEdit(bundle),
    },
    activityAction({ kind: 'support_bundle', id, name: id }),
    codeAction(id, { kind: 'support-bundle', id }),
    {
      id: `support-bundle-delete-${id}`,
      label: common.deleteLabel,
      icon: Trash2,
      destructive: true,
      disabledReason: state === 'destroying' ? text.beingDeletedError : undefined,
      needs: supportBundleDelete,
      perform: remove,
    },
  ]
}
