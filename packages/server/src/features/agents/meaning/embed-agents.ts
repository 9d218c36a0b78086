import type { Database } from '../../../platform/db/database.ts'
import { EmbeddingsFailed, type EmbeddingsPort } from '../../../ports/embeddings/port.ts'
import type { Rest } from './rest.ts'
import { type DueText, type Embedded, findDueTexts, removeOthers, saveEmbedded } from './store.ts'

const BATCH_SIZE = 32
/** Of one tick. */
const MAX_BATCHES = 20
const TIMEOUT_MS = 30_000
/** What any service takes that works at all. */
const PLAIN_TEXT = 'agent'

interface EmbedAgentsDeps {
  db: Database
  embeddings: EmbeddingsPort
  rest: Rest
}

/** Embeds the texts that are new or have changed, a few at a time. */
export function createEmbedAgents({ db, embeddings, rest }: EmbedAgentsDeps) {
  const { model } = embeddings

  return async (ending: AbortSignal): Promise<void> => {
    if (rest.isResting()) return
    await removeOthers(db)
    for (let batch = 0; batch < MAX_BATCHES && !ending.aborted; batch += 1) {
      const due = await findDueTexts(db, model, BATCH_SIZE)
      if (due.length === 0) return
      const embed = (texts: readonly string[]) =>
        embeddings.embed(texts, AbortSignal.any([ending, AbortSignal.timeout(TIMEOUT_MS)]))
      try {
        await saveEmbedded(db, model, await embedAll(due, embed))
        rest.succeeded()
      } catch (error) {
        if (!(error instanceof EmbeddingsFailed)) throw error
        if (ending.aborted) return
        return rest.failed(error)
      }
    }
  }
}

type Embed = (texts: readonly string[]) => Promise<Float32Array[]>

/** One text that the service rejects must not keep the others out: it has no vector then, until it is changed. */
async function embedAll(due: readonly DueText[], embed: Embed): Promise<Embedded[]> {
  const vectors = await embed(due.map(({ text }) => text)).catch(async (error: unknown) => {
    if (!isOfTexts(error)) throw error
    // A service that rejects everything has another problem.
    await embed([PLAIN_TEXT])
    return embedSingly(due, embed)
  })
  return due.map(({ agentId, textHash }, index) => ({ agentId, textHash, vector: vectors[index] ?? null }))
}

async function embedSingly(due: readonly DueText[], embed: Embed): Promise<(Float32Array | undefined)[]> {
  const vectors: (Float32Array | undefined)[] = []
  for (const { text } of due) {
    const [vector] = await embed([text]).catch((error: unknown) => {
      if (!isOfTexts(error)) throw error
      return []
    })
    vectors.push(vector)
  }
  return vectors
}

const isOfTexts = (error: unknown): boolean => error instanceof EmbeddingsFailed && error.isOfTexts
