import { queryOptions } from '@tanstack/react-query'

import { read } from '~/api/client'

import type { OpenApiDocument } from './openapi'

/** The OpenAPI documents of the contract and of Croft's extensions, both served by the server. */
const CONTRACT = '/openapi.json'
const EXTENSIONS = '/openapi-croft.json'

/** The documents of the API. They change only when the server is upgraded. */
export const openApiDocuments = queryOptions({
  queryKey: ['openapi'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    const [contract, extensions] = await Promise.all([
      document(CONTRACT, signal),
      document(EXTENSIONS, signal),
    ])
    return { contract, extensions }
  },
})

async function document(path: string, signal: AbortSignal): Promise<OpenApiDocument> {
  const { statusCode, text } = await read(path, signal)
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
  return JSON.parse(text) as OpenApiDocument
}
