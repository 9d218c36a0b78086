import type { Guide } from './guides/read-guides.ts'
import type { OpenApiDeps } from './openapi.ts'

/** What the documents about the service are made from. */
export interface DocsDeps extends OpenApiDeps {
  /** Read when they are first asked for. */
  guides: () => readonly Guide[]
}
