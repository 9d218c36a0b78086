import { createHmac } from 'node:crypto'
import type { Message, Task } from '@a2a-js/sdk'
import { RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import { MESSAGE_MAX_LENGTH } from '@agent-marketplace/contract'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { NewId } from '../../../platform/id/id.ts'
import type { Caller } from '../caller.ts'
import type { NoticeTask } from '../push/looking.ts'
import {
  countUnpaid,
  endTask,
  findTaskOfMessage,
  insertTask,
  saveDraft,
  type TaskRow,
  takeMessage,
} from '../store.ts'
import type { AskingForMore } from './asking.ts'
import { draftAfter } from './choice.ts'
import { checkContextId } from './context-id.ts'
import type { OpenJob, Pay, Turn, UnstoredTask } from './paying.ts'
import { stateOf, taskWithdrawn, terminalStates } from './present.ts'
import { type FoundTask, type Reading, unknownTask } from './reading.ts'
import type { Said } from './said.ts'

/** A task that is not paid for is deleted after this time: sooner where it belongs to no account. */
const UNPAID_SECONDS = { ofAccount: 24 * 3600, ofGuest: 3600 }
/** That one account, or one address without an account, may keep. */
const MAX_UNPAID = 100

export interface SendingDeps {
  db: Database
  /** Real time. */
  clock: Clock
  newId: NewId
  /** Keys the hashes of addresses. */
  secret: string
  asking: AskingForMore
  reading: Reading
  pay: Pay
  noticeTask: NoticeTask
  sendMessage: (
    tx: Transaction,
    jobId: string,
    caller: { ownerId: string; isAdmin: boolean },
    message: { text: string },
  ) => Promise<unknown>
}

/** What a message does: it begins an order, completes or pays for one, or goes to the agent at work. */
export function createSending(deps: SendingDeps) {
  const { db, clock, newId, asking, reading, pay, noticeTask, sendMessage } = deps

  /** Addresses are stored as hashes only. */
  const nameOf = ({ principal, clientAddress }: Caller): string =>
    principal?.ownerId ?? createHmac('sha256', deps.secret).update(`a2a ${clientAddress}`).digest('base64url')

  /** A caller with an account who repeats a message gets the task that it made. */
  async function madeBefore(said: Said, caller: Caller, agentWallet: string): Promise<FoundTask | undefined> {
    const ownerId = caller.principal?.ownerId
    const row = ownerId && (await findTaskOfMessage(db, { ownerId, messageId: said.messageId, agentWallet }))
    return row ? reading.find(row.id, caller) : undefined
  }

  async function begin(said: Said, caller: Caller, agentWallet: string, contextId: string): Promise<Turn> {
    const earlier = await madeBefore(said, caller, agentWallet)
    if (earlier?.row) return standing(earlier, earlier.row, said, caller)
    const services = await asking.servicesOf(agentWallet)
    const now = clock.now()
    const name = nameOf(caller)
    const seconds = caller.principal ? UNPAID_SECONDS.ofAccount : UNPAID_SECONDS.ofGuest
    const task: UnstoredTask = {
      ...draftAfter(undefined, said, services),
      id: newId(),
      contextId: contextId === '' ? newId() : contextId,
      agentWallet,
      ownerId: caller.principal?.ownerId ?? null,
      messageId: said.messageId,
      caller: name,
      createdAt: now,
      expiresAt: addSeconds(now, seconds),
    }
    if (said.payment?.kind === 'submitted')
      return pay({ ...task, isOwn: true }, said.payment.payload, caller, { ...said, unstored: task })
    await said.checkRoom?.(db)
    if ((await countUnpaid(db, name, now)) >= MAX_UNPAID)
      throw new UnsupportedOperationError(
        'Too many of your tasks wait to be paid for. Pay or cancel some first.',
      )
    const asked = await asking.ask(task, caller, { isOwn: true })
    if (await insertTask(db, task)) return { task: asked }
    const made = await madeBefore(said, caller, agentWallet)
    if (!made?.row) throw unknownTask()
    return standing(made, made.row, said, caller)
  }

  /** An existing task, and the payment in the message where there is one. */
  async function standing(found: FoundTask, row: TaskRow, said: Said, caller: Caller): Promise<Turn> {
    const { id, contextId, job } = found
    if (row.endedAt !== null) return { task: taskWithdrawn(row, row.endedAt) }
    if (job && found.isOpen) return followed({ id, contextId, job }, caller)
    const { isOpen: isOwn } = found
    if (said.payment?.kind === 'submitted') return pay({ ...row, isOwn }, said.payment.payload, caller, said)
    return {
      task: job ? await reading.showClosed({ ...found, job }) : await asking.ask(row, caller, { isOwn }),
    }
  }

  const followed = async (open: OpenJob, caller: Caller): Promise<Turn> => ({
    task: await reading.show(open, caller),
    job: open,
  })

  /** A task that waits for a service, an input or the money. */
  async function complete(
    found: FoundTask,
    row: TaskRow,
    said: Said,
    { caller, contextId }: { caller: Caller; contextId: string },
  ): Promise<Turn> {
    // To those without an account the id is enough to pay for it. It opens nothing that others have paid for.
    if (row.ownerId !== null && !found.isOpen) throw unknownTask()
    /** What changes it shows more than its id: the token, or the context that came with it. */
    const requireShown = () => {
      if (!found.isOpen && contextId !== row.contextId)
        throw new RequestMalformedError(
          'Send the contextId of the task as well, or its token, to change or end it.',
        )
    }
    if (said.payment?.kind === 'rejected') {
      requireShown()
      const now = clock.now()
      await db.transaction(async (tx) => {
        await endTask(tx, row.id, now)
        await noticeTask(tx, row.id)
      })
      return { task: taskWithdrawn(row, now) }
    }
    if (said.payment || row.endedAt !== null) return standing(found, row, said, caller)
    await said.checkRoom?.(db)
    const { isOpen: isOwn } = found
    const asked = await asking.ask(row, caller, { isOwn })
    // What was offered for a price stays as it is.
    if (isOffered(asked)) return { task: asked }
    requireShown()
    const draft = draftAfter(row, said, await asking.servicesOf(row.agentWallet))
    await saveDraft(db, { id: row.id, ...draft })
    return { task: await asking.ask({ ...row, ...draft }, caller, { isOwn }) }
  }

  /** The job room, as the client. */
  async function write(found: FoundTask, job: OpenJob['job'], said: Said, caller: Caller): Promise<Turn> {
    const open = { id: found.id, contextId: found.contextId, job }
    const task = await reading.show(open, caller)
    if (terminalStates.has(stateOf(task)))
      throw new UnsupportedOperationError(
        'This task has ended. Begin a new one with a message without taskId.',
      )
    const text = [said.text, said.input && JSON.stringify(said.input)].filter(Boolean).join('\n\n')
    if (text === '' || text.length > MESSAGE_MAX_LENGTH)
      throw new RequestMalformedError(`A message to the agent has 1 to ${MESSAGE_MAX_LENGTH} characters.`)
    await db.transaction(async (tx) => {
      if (!(await takeMessage(tx, found.id, said.messageId))) return
      await said.checkRoom?.(tx)
      await sendMessage(tx, job.id, { ownerId: job.ownerId, isAdmin: false }, { text })
    })
    return followed(open, caller)
  }

  return async function send(said: Said, caller: Caller, { taskId, contextId }: Message): Promise<Turn> {
    checkContextId(contextId)
    if (taskId === '') {
      const agentWallet = caller.agentWallet ?? said.agent?.toLowerCase()
      if (!agentWallet) throw new RequestMalformedError('Name the agent: its wallet, as metadata.agent.')
      return begin(said, caller, agentWallet, contextId)
    }
    const found = await reading.find(taskId, caller)
    if (contextId !== '' && contextId !== found.contextId)
      throw new RequestMalformedError('The task belongs to another context.')
    const { row, job } = found
    if (!job) {
      if (!row) throw unknownTask()
      return complete(found, row, said, { caller, contextId })
    }
    if (said.payment && row) return standing(found, row, said, caller)
    if (!found.isOpen) throw unknownTask()
    return write(found, job, said, caller)
  }
}

export type Send = ReturnType<typeof createSending>

const isOffered = ({ status }: Task): boolean =>
  status?.message?.metadata?.['x402.payment.status'] === 'payment-required'
