import type { DocsIndex } from '@agent-marketplace/contract'
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Market } from './tool.ts'

const MARKDOWN = 'text/markdown'

const documents = [
  { path: '/llms.txt', name: 'overview', title: 'What this marketplace is, and how to use its API' },
  { path: '/docs.md', name: 'api-reference', title: 'Every call of the API' },
  { path: '/docs/errors.md', name: 'errors', title: 'Every error, what it means and what to do' },
]

const AGENTS = 20

/** The documents, the guides and each agent's page, as Markdown at their own addresses. */
export function registerResources(server: McpServer, { client, publicUrl, readText }: Market): void {
  const read = async (uri: URL) => ({
    contents: [{ uri: uri.href, mimeType: MARKDOWN, text: await readText(uri.pathname) }],
  })
  for (const { path, name, title } of documents)
    server.registerResource(name, new URL(path, publicUrl).href, { title, mimeType: MARKDOWN }, read)

  const guides = new ResourceTemplate(`${publicUrl.origin}/docs/{guide}.md`, {
    list: async () => {
      const { guides } = JSON.parse(await readText('/docs/index.json')) as DocsIndex
      return {
        resources: guides.map(({ slug, title, description }) => ({
          uri: `${publicUrl.origin}/docs/${slug}.md`,
          name: slug,
          title,
          description,
          mimeType: MARKDOWN,
        })),
      }
    },
  })
  server.registerResource(
    'guide',
    guides,
    { title: 'A guide, with code that runs', mimeType: MARKDOWN },
    read,
  )

  const agents = new ResourceTemplate(`${publicUrl.origin}/agents/{wallet}.md`, {
    list: async () => {
      const { data } = await client.call('searchAgents', { query: { limit: AGENTS } })
      return {
        resources: data.agents.map(({ walletAddress, name, description }) => ({
          uri: `${publicUrl.origin}/agents/${walletAddress}.md`,
          name,
          description,
          mimeType: MARKDOWN,
        })),
      }
    },
  })
  server.registerResource(
    'agent',
    agents,
    { title: 'An agent: services, prices, track record', mimeType: MARKDOWN },
    read,
  )
}
