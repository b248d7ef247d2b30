import { queryOptions } from '@tanstack/react-query'

import { read } from '~/api/client'

import type { OpenApiDocument } from './openapi'

/** The document that the server itself serves. It changes only with the server. */
export const openApiDocument = queryOptions({
  queryKey: ['openapi.json'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<OpenApiDocument> => {
    const { statusCode, text } = await read('/openapi.json', signal)
    if (statusCode !== 200) throw new Error(`/openapi.json answered ${statusCode}`)
    return JSON.parse(text) as OpenApiDocument
  },
})
