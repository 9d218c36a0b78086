import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { createCoalescedLookup } from '../../../platform/fast/coalesce.ts'
import type { Log } from '../../../platform/log/log.ts'
import { EmbeddingsFailed, type EmbeddingsPort } from '../../../ports/embeddings/port.ts'
import type { NearAgent } from '../search/query.ts'
import { createEmbedAgents } from './embed-agents.ts'
import { createKnownVectors } from './known-vectors.ts'
import { createRest } from './rest.ts'

/** People wait for a search: after this time it uses words alone. */
const WAIT_MS = 500
const REMEMBERED_TEXTS = 1_000
/** As many as filters are applied to. */
const MAX_NEAREST = 500

export interface MeaningDeps {
  db: Database
  searchDb: Database
  embeddings: EmbeddingsPort
  minSimilarity: number
  clock: Clock
  log: Log
  waitMs?: number | undefined
}

/**
 * Search by meaning. It promises that it never fails a search and never delays it for long: without the service,
 * no agent is close.
 */
export function createMeaning({
  db,
  searchDb,
  embeddings,
  minSimilarity,
  clock,
  log,
  waitMs = WAIT_MS,
}: MeaningDeps) {
  const known = createKnownVectors({ db: searchDb, model: embeddings.model, clock })
  const searchRest = createRest({
    clock,
    log,
    failing: 'search goes by words alone: no embeddings',
    working: 'search goes by meaning again',
    firstSeconds: 30,
    mostSeconds: 300,
  })
  const embedRest = createRest({
    clock,
    log,
    failing: 'agents wait for embeddings',
    working: 'agents are embedded again',
    firstSeconds: 60,
    mostSeconds: 900,
  })
  const embedAgents = createEmbedAgents({ db, embeddings, rest: embedRest })

  const remembered = new LRUCache<string, Promise<Float32Array>>({ max: REMEMBERED_TEXTS })
  const lookUp = createCoalescedLookup<string, Float32Array>({
    batchLimit: 32,
    inFlightLimit: 4,
    async load(texts) {
      const vectors = await embeddings.embed(texts, AbortSignal.timeout(waitMs))
      searchRest.succeeded()
      return new Map(vectors.map((vector, index) => [texts[index] ?? '', vector]))
    },
  })

  /** Searches for the same text share the vector, and the request for it. */
  function vectorOf(text: string): Promise<Float32Array> {
    const shared = remembered.get(text)
    if (shared) return shared
    const vector = lookUp(text).then((found) => {
      if (!found) throw new EmbeddingsFailed('no vector for a text')
      return found
    })
    remembered.set(text, vector)
    return vector
  }

  async function findNear(text: string): Promise<NearAgent[]> {
    await known.keepFresh()
    if (known.size() === 0) return []
    const similar = await known.nearestTo(await vectorOf(text), { minSimilarity, limit: MAX_NEAREST })
    const span = (similar[0]?.similarity ?? 0) - minSimilarity
    return similar.map(({ agentId, similarity }) => ({
      agentId,
      nearness: span > 0 ? (similarity - minSimilarity) / span : 1,
    }))
  }

  function noteFailure(text: string, error: unknown): NearAgent[] {
    remembered.delete(text)
    // One text that the service rejects must not disable it for all others.
    const isOfText = error instanceof EmbeddingsFailed && error.isOfTexts
    if (!isOfText) searchRest.failed(error)
    return []
  }

  return {
    /** Agents that are close to it, the closest first; none while the service fails. */
    async nearAgents(text: string): Promise<readonly NearAgent[]> {
      // The next page of a search needs no service.
      if (searchRest.isResting() && !remembered.has(text)) return []
      const near = findNear(text).catch((error: unknown) => noteFailure(text, error))
      // Late is not failed: it may have waited for its turn among many, or for the first reading of the vectors. A service
      // that is itself too slow fails its call, and is counted there.
      return Promise.race([near, nobodyAfter(waitMs)])
    },

    async embedAgents(ending: AbortSignal): Promise<void> {
      await embedAgents(ending)
      known.expire()
    },

    gauges: [
      {
        name: 'search_embeddings_failing',
        help: '1 while searches of this process go by words alone, because the embeddings service fails.',
        read: () => Number(searchRest.isFailing()),
      },
      {
        name: 'search_embedded_agents',
        help: 'Agents that searches of this process find by meaning.',
        read: known.size,
      },
    ],
  }
}

export type Meaning = ReturnType<typeof createMeaning>

const nobodyAfter = (waitMs: number): Promise<NearAgent[]> => delay(waitMs, [], { ref: false })
