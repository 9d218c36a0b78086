import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError } from '@agent-marketplace/contract'
import { LRUCache } from 'lru-cache'
import { type Card, etagOf } from './card.ts'

const CACHE_BYTES = 16_000_000
const MAX_WAITING = 20
const LIMIT_MS = 120_000
const IDLE_MS = 60_000
const HEAP_MEGABYTES = 128

/**
 * Draws cards in a thread of its own, one after the other, and keeps the last ones. The thread is started by the first card
 * and ends when nobody has asked for one in a minute, or when a card takes too long: it can be ended whatever it does.
 */
export function createCardDrawing() {
  const pictures = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => length,
  })
  const underWay = new Map<string, Promise<Buffer>>()
  const closed = new AbortController()
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  function start(): Worker {
    const started = new Worker(new URL('./card-worker.ts', import.meta.url), {
      // What draws strangers' words knows no secret of the service.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    })
    started.on('error', () => end(started))
    started.unref()
    return started
  }

  function end(ended: Worker): Promise<number> {
    if (worker === ended) worker = undefined
    return ended.terminate()
  }

  async function drawNow(card: Card): Promise<Buffer> {
    if (closed.signal.aborted) throw unavailable('The service is stopping.')
    clearTimeout(idle)
    worker ??= start()
    const current = worker
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(LIMIT_MS)])
    try {
      const drawn = once(current, 'message', { signal })
      current.postMessage(card)
      const [png] = (await drawn) as [Uint8Array]
      idle = setTimeout(() => void end(current), IDLE_MS).unref()
      return Buffer.from(png)
    } catch (cause) {
      await end(current)
      throw unavailable('The card could not be drawn. Try again later.', cause)
    }
  }

  async function drawInTurn(etag: string, card: Card): Promise<Buffer> {
    const turn = last.then(() => drawNow(card))
    last = turn.catch(() => undefined)
    const picture = await turn
    pictures.set(etag, picture)
    return picture
  }

  return {
    /** Undefined where it would have to be drawn. */
    find: (etag: string): Buffer | undefined => pictures.get(etag),

    async draw(card: Card): Promise<Buffer> {
      const etag = etagOf(card)
      const begun = underWay.get(etag)
      if (begun) return begun
      if (underWay.size >= MAX_WAITING || closed.signal.aborted)
        throw unavailable('Too many cards are being drawn. Try again later.')
      const drawn = drawInTurn(etag, card).finally(() => underWay.delete(etag))
      underWay.set(etag, drawn)
      return drawn
    },

    async close(): Promise<void> {
      closed.abort()
      clearTimeout(idle)
      if (worker) await end(worker)
    },
  }
}

const unavailable = (message: string, cause?: unknown) => new AppError('UNAVAILABLE', { message, cause })

export type CardDrawing = ReturnType<typeof createCardDrawing>
