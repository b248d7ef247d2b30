import { callForSize, callForText } from '~/api/files'
import type { TextPart } from '~/api/files'
import {
  supportBundleDownloadFile,
  supportBundleHead,
  supportBundleIndex,
  supportBundleList,
} from '~/api/generated/operations'
import type { SupportBundleInfo, SupportBundleState } from '~/api/generated/types.gen'
import { listPage } from '~/api/list'
import type { CallOptions } from '~/api/query'
import { KIB } from '~/lib/units'
import * as text from '~/messages/support-bundle'
import { Badge } from '~/ui/badge'
import type { BadgeTone } from '~/ui/badge'
import { Spinner } from '~/ui/spinner'

const TONES: Record<SupportBundleState, BadgeTone> = {
  collecting: 'info',
  active: 'accent',
  destroying: 'notice',
  failed: 'danger',
}

/** Whether the bundle is in a transitional state, which it leaves by itself. */
export const isInTransition = ({ state }: Pick<SupportBundleInfo, 'state'>): boolean =>
  state === 'collecting' || state === 'destroying'

/** The state of a bundle, as named by the API. A transitional one has a spinner. */
export const SupportBundleStateBadge = ({ state }: { state: SupportBundleState }) => (
  <Badge tone={TONES[state]}>
    {isInTransition({ state }) && <Spinner />}
    {state}
  </Badge>
)

/** Milliseconds until bundles are fetched again, while one of them is in transition and otherwise. */
const WHILE_CHANGING = 2_000
const AT_REST = 60_000

/** Milliseconds until these bundles are fetched again. */
export const bundlesInterval = (bundles: readonly SupportBundleInfo[] = []): number =>
  bundles.some(isInTransition) ? WHILE_CHANGING : AT_REST

/** Why a bundle cannot be downloaded, if it cannot. */
export function downloadRefusal({ state }: Pick<SupportBundleInfo, 'state'>): string | undefined {
  switch (state) {
    case 'active':
      return undefined
    case 'collecting':
      return text.beingCollectedError
    case 'destroying':
      return text.beingDeletedError
    case 'failed':
      return text.notCollectedError
  }
}

/** A page of all bundles, the latest first. */
export const bundlePage = (search: object) =>
  listPage(supportBundleList, NEWEST_FIRST, search, {
    refetchInterval: ({ state }) => bundlesInterval(state.data?.items),
  })

/** Parameters of the list of bundles. */
export const NEWEST_FIRST = { query: { sortBy: 'time_and_id_descending' as const } }

/** Name of the downloaded archive of a bundle. */
export const archiveName = (bundleId: string): string => `support-bundle-${bundleId}.zip`

/** Maximum number of bytes of a file that are shown. */
export const SHOWN_AT_MOST = 256 * KIB

/** The archive of a bundle does not change after its creation. */
const UNCHANGING = { staleTime: Infinity, throwOnError: () => false }

/** Names of the files of a bundle, sorted, without folders. */
export const bundleFiles = (bundleId: string): CallOptions<string[]> => ({
  ...UNCHANGING,
  queryKey: [supportBundleIndex.name, { path: { bundleId } }],
  queryFn: async ({ signal }) => {
    const { text } = await callForText(supportBundleIndex, { path: { bundleId } }, { signal })
    return filesOf(text)
  },
})

/** The files named in an index, which has one per line. */
export const filesOf = (index: string): string[] =>
  index
    .split('\n')
    .filter((name) => name !== '' && !name.endsWith('/'))
    .toSorted()

/** Length of the archive of a bundle in bytes. */
export const bundleSize = (bundleId: string): CallOptions<number> => ({
  ...UNCHANGING,
  queryKey: [supportBundleHead.name, { path: { bundleId } }],
  queryFn: ({ signal }) => callForSize(supportBundleHead, { path: { bundleId } }, signal),
})

/** The beginning of a file of a bundle. */
export const bundleFile = (bundleId: string, file: string): CallOptions<TextPart> => ({
  ...UNCHANGING,
  queryKey: [supportBundleDownloadFile.name, { path: { bundleId, file } }],
  queryFn: ({ signal }) =>
    callForText(
      supportBundleDownloadFile,
      { path: { bundleId, file } },
      { signal, most: SHOWN_AT_MOST },
    ),
})
