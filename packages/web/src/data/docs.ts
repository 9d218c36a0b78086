import type { DocsIndex, OpenApiDocument } from '@agent-marketplace/contract'
import { queryOptions } from '@tanstack/react-query'
import { connection } from './connection/connection.ts'

/** What does not change while the service runs is read once. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

async function read(path: string, signal: AbortSignal): Promise<Response> {
  const response = await connection.fetch(path, { signal })
  if (!response.ok) throw new Error(`${path} is ${response.status}.`)
  return response
}

/** The contents of the documentation, which are also what its search looks through. */
export const docsIndexQuery = () =>
  queryOptions({
    ...once,
    queryKey: ['docs', 'index'],
    queryFn: async ({ signal }) => (await (await read('/docs/index.json', signal)).json()) as DocsIndex,
  })

/** A guide as Markdown, with this marketplace's address in it. */
export const guideQuery = (slug: string) =>
  queryOptions({
    ...once,
    queryKey: ['docs', 'guide', slug],
    queryFn: async ({ signal }) => (await read(`/docs/${slug}.md`, signal)).text(),
  })

export const openApiQuery = () =>
  queryOptions({
    ...once,
    queryKey: ['docs', 'openapi'],
    queryFn: async ({ signal }) => (await (await read('/openapi.json', signal)).json()) as OpenApiDocument,
  })
