import {
  type DocsIndex,
  type Endpoint,
  errorCodes,
  errorTable,
  tagDescriptions,
} from '@agent-marketplace/contract'
import type { Guide } from './read-guides.ts'

/** The contents of the documentation: small enough to be read at once and searched in the browser. */
export function describeDocs(guides: readonly Guide[], endpoints: readonly Endpoint[]): DocsIndex {
  const tags = [...Map.groupBy(endpoints, ({ tag }) => tag)]
  return {
    guides: guides.map(({ slug, title, description, sections }) => ({ slug, title, description, sections })),
    reference: tags.map(([tag, tagged]) => ({
      tag,
      description: tagDescriptions[tag] ?? tag,
      operations: tagged.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
    })),
    errors: errorCodes.map((code) => ({ code, meaning: errorTable[code].meaning })),
  }
}
