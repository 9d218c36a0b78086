import { expect, test, vi } from 'vitest'
import { EmbeddingsFailed } from '../../../ports/embeddings/port.ts'
import { createEmbedAgents } from './embed-agents.ts'

test('a process that stops while it embeds does not count that as a failure of the service', async () => {
  const stopping = new AbortController()
  const rest = { isResting: () => false, isFailing: () => false, failed: vi.fn(), succeeded: vi.fn() }
  const embed = async () => {
    stopping.abort()
    throw new EmbeddingsFailed('the service did not get through')
  }
  const db = { run: async () => 0, rows: async () => [{ agentId: 'a', textHash: 'h', text: 'words' }] }
  const deps = { db, embeddings: { model: 'm', embed }, rest }
  await createEmbedAgents(deps as unknown as Parameters<typeof createEmbedAgents>[0])(stopping.signal)
  expect(rest.failed).not.toHaveBeenCalled()
})
