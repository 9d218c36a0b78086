import { AppError } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { checkPace } from '../../house/pace.ts'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { createCursors } from '../../platform/http/cursor.ts'
import type { NewId } from '../../platform/id/id.ts'
import { excerptOf } from '../../platform/notices/excerpt.ts'
import type { Notify } from '../../platform/notices/notice.ts'
import {
  type AskedAgent,
  checkAsking,
  checkHiding,
  checkReplying,
  openSeenBy,
  questionPace,
  type Viewer,
} from './rules.ts'
import * as store from './store.ts'

/**
 * The only contact before hire. It promises: a question has one reply at most, by the seller; an asker has one open
 * question to an agent; only those with a reply are public, and what an admin has hidden is shown to nobody. Each is stored
 * together with its notification.
 */
export interface QuestionsDeps {
  clock: Clock
  newId: NewId
  notify: Notify
  cursorSecret: string
  /** By its id, or by its wallet in any letter case. */
  agentOf: (db: Queryable, idOrWallet: string) => Promise<AskedAgent | undefined>
}

const Place = Type.Object({ seq: Type.String() })

export function createQuestions({ clock, newId, notify, cursorSecret, agentOf }: QuestionsDeps) {
  const cursors = createCursors(Place, { secret: cursorSecret, list: 'agent-questions' })

  async function existingAgent(queryable: Queryable, idOrWallet: string): Promise<AskedAgent> {
    const agent = await agentOf(queryable, idOrWallet)
    if (!agent) throw new AppError('NOT_FOUND', { message: 'There is no agent with this wallet.' })
    return agent
  }

  async function existingQuestion(tx: Transaction, id: string): Promise<store.QuestionRow> {
    const question = await store.lockQuestion(tx, id)
    if (!question) throw unknownQuestion()
    return question
  }

  return {
    async ask(tx: Transaction, wallet: string, askerId: string, text: string): Promise<store.QuestionRow> {
      const agent = await existingAgent(tx, wallet)
      checkAsking(agent, askerId)
      const now = clock.now()
      await store.lockAsker(tx, askerId)
      const since = addSeconds(now, -questionPace.windowSeconds)
      checkPace(await store.countAsked(tx, { askerId, since }), questionPace, now)
      const question = await store.insertQuestion(tx, {
        id: newId(),
        agentId: agent.id,
        askerId,
        text: text.trim(),
        createdAt: now,
      })
      if (!question)
        throw new AppError('CONFLICT', { message: 'You have an open question to this agent already.' })
      await notify(tx, {
        ownerId: agent.ownerId,
        type: 'QUESTION_RECEIVED',
        title: 'New question',
        message: `${agent.name}: ${excerptOf(question.text)}`,
        link: pageOf(agent),
        foldKey: `QUESTION_RECEIVED:${agent.id}`,
      })
      return question
    },

    async reply(tx: Transaction, id: string, callerId: string, text: string): Promise<store.QuestionRow> {
      const question = await existingQuestion(tx, id)
      if (question.hiddenAt !== null) throw unknownQuestion()
      const agent = await existingAgent(tx, question.agentId)
      checkReplying(question, agent, callerId)
      const replied = await store.saveReply(tx, { id, reply: text.trim(), now: clock.now() })
      await notify(tx, {
        ownerId: question.askerId,
        type: 'QUESTION_REPLIED',
        title: 'The seller replied to your question',
        message: `${agent.name}: ${excerptOf(text)}`,
        link: pageOf(agent),
      })
      return replied
    },

    /** For admins. Who wrote what is hidden is notified of the reason. */
    async hide(tx: Transaction, id: string, reason: string): Promise<store.QuestionRow> {
      const question = await existingQuestion(tx, id)
      checkHiding(question)
      const agent = await existingAgent(tx, question.agentId)
      const hidden = await store.saveHidden(tx, { id, now: clock.now() })
      const notice = { type: 'QUESTION_HIDDEN', link: pageOf(agent) } as const
      const why = `${agent.name}: ${excerptOf(question.text)} The reason: ${reason}`
      const toAsker = {
        ...notice,
        ownerId: question.askerId,
        title: 'Your question was hidden',
        message: why,
      }
      const toSeller = { ...notice, ownerId: agent.ownerId, title: 'A question was hidden', message: why }
      await notify(tx, ...(question.repliedAt === null ? [toAsker] : [toAsker, toSeller]))
      return hidden
    },

    /** It decides nothing, so that a replica may serve it. */
    async list(
      db: Queryable,
      wallet: string,
      viewer: Viewer | undefined,
      { limit, cursor }: { limit: number; cursor: string | undefined },
    ): Promise<{ rows: store.QuestionRow[]; nextCursor: string | null }> {
      const list = wallet.toLowerCase()
      const before = cursor === undefined ? undefined : BigInt(cursors.read(cursor, list).seq)
      const agent = await existingAgent(db, wallet)
      // One more than requested shows whether there is a next page.
      const page = { agentId: agent.id, seenOpen: openSeenBy(viewer, agent), before, limit: limit + 1 }
      const found = await store.listQuestions(db, page)
      const rows = found.slice(0, limit)
      const last = rows.at(-1)
      const hasMore = found.length > limit && last !== undefined
      return { rows, nextCursor: hasMore ? cursors.write({ seq: String(last.seq) }, list) : null }
    },
  }
}

export type Questions = ReturnType<typeof createQuestions>

const pageOf = ({ walletAddress }: AskedAgent): string => `/agents/${walletAddress}`

/** The same response for one that never was and for one that is hidden. */
function unknownQuestion(): AppError<'NOT_FOUND'> {
  return new AppError('NOT_FOUND', { message: 'There is no such question.' })
}
