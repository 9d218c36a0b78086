import { AppError, type EngineStatus } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import type { Steps } from '../../../house/steps.ts'
import type { MoneyEngine } from '../../../money/engine.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { createCursors } from '../../../platform/http/cursor.ts'
import type { DeadLetter } from '../../../platform/queue/dead-letters.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import type { ChainReader } from '../../../ports/chain/port.ts'
import type { Actor, Audit } from '../audit.ts'

export interface OperationsDeps {
  engine: Pick<MoneyEngine, 'status' | 'followedCount' | 'goBack' | 'resume'>
  queue: Pick<Queue, 'listDeadLetters' | 'retryDeadLetter'>
  reader: Pick<ChainReader, 'getBlock'>
  cursorSecret: string
  audit: Audit
}

/** What the audit log calls the engine; there is one. */
const ENGINE = 'money'

/** The controls of the background work. */
export function createOperations({ engine, queue, reader, cursorSecret, audit }: OperationsDeps) {
  const cursors = createCursors(Type.Object({ position: Type.String(), id: Type.String() }), {
    secret: cursorSecret,
    list: 'dead-letters',
  })

  async function engineStatus(): Promise<EngineStatus> {
    const [status, followed, head] = await Promise.all([
      engine.status(),
      engine.followedCount(),
      // A chain that does not respond is part of the report.
      reader.getBlock('latest').catch(() => undefined),
    ])
    const indexedBlock = status.blockNumber === null ? null : Number(status.blockNumber)
    const headBlock = head === undefined ? null : Number(head.number)
    const isKnown = indexedBlock !== null && headBlock !== null
    return {
      halted: status.haltedReason !== null,
      haltedReason: status.haltedReason,
      isOperator: status.isOperator,
      indexedBlock,
      headBlock,
      lagBlocks: isKnown ? Math.max(0, headBlock - indexedBlock) : null,
      updatedAt: status.updatedAt?.toISOString() ?? null,
      intents: {
        pending: status.pendingCount,
        submitted: status.submittedCount,
        oldestSeconds: status.oldestSeconds,
      },
      wallets: { followed, waiting: status.newWalletCount },
    }
  }

  return {
    engineStatus,

    async listDeadLetters({
      limit,
      cursor,
    }: {
      limit: number
      cursor: string | undefined
    }): Promise<{ letters: DeadLetter[]; nextCursor: string | null }> {
      const after = cursor === undefined ? undefined : cursors.read(cursor, null)
      const found = await queue.listDeadLetters({ limit: limit + 1, after })
      const last = found[limit - 1]
      if (found.length <= limit || !last) return { letters: found, nextCursor: null }
      const { position, id } = last
      return { letters: found.slice(0, limit), nextCursor: cursors.write({ position, id }, null) }
    },

    async retryDeadLetter(
      tx: Transaction,
      { actor, subjectId }: { actor: Actor; subjectId: string },
    ): Promise<DeadLetter> {
      const letter = await queue.retryDeadLetter(tx, subjectId)
      if (letter === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such dead letter.' })
      await audit.record(tx, actor, {
        action: 'dead_letter.retried',
        subjectType: 'dead_letter',
        subjectId,
        before: { task: letter.task, reason: letter.reason },
        after: { task: letter.task },
      })
      return letter
    },

    resumeEngine: ({
      actor,
      reason,
    }: {
      actor: Actor
      reason: string
    }): Steps<EngineStatus, EngineStatus> => ({
      /** Rolls back first, while the engine is still halted; does nothing unless it is. */
      async prepare() {
        try {
          await engine.goBack()
        } catch (cause) {
          throw new AppError('UNAVAILABLE', { message: 'The chain is not responding right now.', cause })
        }
        return engineStatus()
      },
      async decide(tx, status) {
        const haltedReason = await engine.resume(tx)
        if (haltedReason === undefined) {
          throw new AppError('INVALID_STATE', {
            message: 'The engine is not halted.',
            details: { status: 'RUNNING', allowed: ['HALTED'] },
          })
        }
        await audit.record(tx, actor, {
          action: 'engine.resumed',
          subjectType: 'engine',
          subjectId: ENGINE,
          before: { haltedReason },
          after: { haltedReason: null },
          reason,
        })
        return { ...status, halted: false, haltedReason: null }
      },
    }),
  }
}
