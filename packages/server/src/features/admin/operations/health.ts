import type { AdminHealth } from '@agent-marketplace/contract'
import type { MoneyEngine } from '../../../money/engine.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import type { ChainReader } from '../../../ports/chain/port.ts'

export interface HealthDeps {
  money: Pick<MoneyEngine, 'status'>
  queue: Pick<Queue, 'countDeadLetters'>
  reader: Pick<ChainReader, 'getBlock'>
}

/** The state of the background work. A chain that does not respond is part of the report. */
export function createHealthReport({ money, queue, reader }: HealthDeps) {
  const headNumber = async (): Promise<number | null> => {
    const head = await reader.getBlock('latest').catch(() => undefined)
    return head === undefined ? null : Number(head.number)
  }

  return {
    async workerHealth(): Promise<AdminHealth['worker']> {
      const [deadLetters, { pendingCount, submittedCount }] = await Promise.all([
        queue.countDeadLetters(),
        money.status(),
      ])
      return { deadLetters, waitingIntents: pendingCount + submittedCount }
    },

    async indexerHealth(): Promise<AdminHealth['indexer']> {
      const [{ blockNumber, updatedAt, haltedReason }, head] = await Promise.all([
        money.status(),
        headNumber(),
      ])
      return {
        blockNumber: blockNumber === null ? null : Number(blockNumber),
        headNumber: head,
        updatedAt: updatedAt?.toISOString() ?? null,
        haltedReason,
      }
    },
  }
}
