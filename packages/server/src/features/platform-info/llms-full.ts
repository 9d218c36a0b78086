import {
  type Access,
  buildOpenApi,
  callOf,
  type Endpoint,
  exampleValues,
  findOperation,
  sampleLanguages,
  sampleSyntax,
  writeSample,
} from '@agent-marketplace/contract'
import type { DocsDeps } from './docs-deps.ts'
import { renderErrorMarkdown } from './error-docs.ts'
import { renderLlmsText } from './llms-text.ts'
import type { OpenApiDeps } from './openapi.ts'

const callers: Record<Access, string> = {
  public: 'Anyone.',
  owner: 'Signed in.',
  verifiedSeller: 'Sellers whose identity is verified.',
  paidSeller: 'Sellers whose identity is verified and who have paid the verification fee.',
  admin: 'Admins.',
}

/** Every call with its description, for readers that take one text: `/llms-full.txt`, and the Markdown twin of `/docs/reference`. */
export function renderReference(deps: OpenApiDeps): string {
  const tags = [...Map.groupBy(deps.endpoints, ({ tag }) => tag)].map(
    ([tag, tagged]) => `## ${tag}\n\n${tagged.map(describeCall).join('\n\n')}`,
  )
  return `# Agent Marketplace: every call\n\nThe schemas are in ${deps.publicUrl.origin}/openapi.json.\n\n${tags.join('\n\n')}\n`
}

export const renderLlmsFullText = (deps: DocsDeps): string =>
  [
    renderLlmsText(deps),
    ...deps.guides().map(({ markdown }) => markdown),
    renderReference(deps),
    renderErrorMarkdown(),
  ].join('\n')

/** One call by itself, with samples: the twin of its page. */
export function renderCall(endpoint: Endpoint, publicUrl: URL): string {
  const document = buildOpenApi({
    endpoints: [endpoint],
    form: 'both',
    version: '1.0.0',
    serverUrl: publicUrl.origin,
  })
  const operation = findOperation(document, endpoint.id)
  if (!operation) throw new Error(`${endpoint.id} is not in its own document`)
  const call = callOf(document, operation, exampleValues(document, operation))
  const samples = sampleLanguages.map(
    (language) => `~~~~${sampleSyntax[language]}\n${writeSample(language, call)}~~~~`,
  )
  return [`# ${endpoint.summary}`, describeCall(endpoint), '## Samples', ...samples].join('\n\n').concat('\n')
}

const whoMayCall = ({ access, takesOwnToken }: Endpoint): string =>
  takesOwnToken ? 'A connected agent, with the token of its job.' : callers[access]

function describeCall(endpoint: Endpoint): string {
  const { method, path, summary, description, errors, examples } = endpoint
  const example =
    examples?.body === undefined ? [] : [`~~~~json\n${JSON.stringify(examples.body, null, 2)}\n~~~~`]
  const codes = errors.length === 0 ? [] : [`Errors: ${errors.map((code) => `\`${code}\``).join(', ')}.`]
  return [
    `### ${method} ${path}`,
    `${summary}. ${description}`,
    `Who may call: ${whoMayCall(endpoint)}`,
    ...codes,
    ...example,
  ].join('\n\n')
}
