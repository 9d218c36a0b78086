import { type BuildOpenApiOptions, buildOpenApi, type Endpoint } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import { registerDocument } from '../../platform/http/document.ts'

export interface OpenApiDeps {
  /** The endpoints that are mounted: the documents show nothing else. */
  endpoints: readonly Endpoint[]
  publicUrl: URL
}

export const openApiDocuments: readonly {
  path: string
  title: string
  form: BuildOpenApiOptions['form']
  version: string
}[] = [
  { path: '/openapi.json', title: 'Both forms', form: 'both', version: '1.0.0' },
  { path: '/openapi/v1.json', title: 'Form A (v1)', form: 'a', version: '1.0.0' },
  { path: '/openapi/v2.json', title: 'Form B (v2)', form: 'b', version: '2.0.0' },
]

export function registerOpenApi(app: FastifyInstance, { endpoints, publicUrl }: OpenApiDeps): void {
  for (const { path, form, version } of openApiDocuments) {
    registerDocument(app, {
      path,
      type: 'application/json; charset=utf-8',
      openToPages: true,
      make: () => JSON.stringify(buildOpenApi({ endpoints, form, version, serverUrl: publicUrl.origin })),
    })
  }
}
