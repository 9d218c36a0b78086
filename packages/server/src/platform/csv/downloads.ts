import { Readable } from 'node:stream'
import { AppError } from '@agent-marketplace/contract'
import type { FastifyReply } from 'fastify'
import { type CsvFile, csvOf } from './csv.ts'

const OPEN_PER_OWNER = 2
const RETRY_SECONDS = 10

/**
 * Files of rows that this process sends, as fast as each is read. One that is read slowly keeps its batch in memory, so an
 * owner has few of them open at once.
 */
export function createDownloads() {
  const openOf = new Map<string, number>()

  function enter(ownerId: string): () => void {
    const open = openOf.get(ownerId) ?? 0
    if (open >= OPEN_PER_OWNER) {
      throw new AppError('RATE_LIMIT_EXCEEDED', {
        message: `At most ${OPEN_PER_OWNER} downloads of one owner can be open at once. Finish or cancel one of them.`,
        details: { retryAfterSeconds: RETRY_SECONDS, limit: OPEN_PER_OWNER },
      })
    }
    openOf.set(ownerId, open + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      const left = (openOf.get(ownerId) ?? 0) - 1
      if (left > 0) openOf.set(ownerId, left)
      else openOf.delete(ownerId)
    }
  }

  return {
    /** The first rows are read before anything is sent, so that a failure there has a status of its own. */
    async send<Row>(reply: FastifyReply, ownerId: string, file: CsvFile<Row>): Promise<void> {
      const leave = enter(ownerId)
      try {
        const texts = csvOf(file)
        const { value: first } = await texts.next()
        const stream = Readable.from(startingWith(first, texts))
        // Read to its end, or given up by its reader.
        stream.once('end', leave).once('close', leave)
        reply.headers(headersOf(file.name)).send(stream)
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

export type Downloads = ReturnType<typeof createDownloads>

async function* startingWith(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** To be saved, and kept by nobody on the way. */
const headersOf = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}"`,
  'cache-control': 'no-store',
})
