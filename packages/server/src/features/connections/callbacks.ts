import { timingSafeEqual } from 'node:crypto'
import {
  AppError,
  type JobFile,
  type JobMessage,
  type JobProgress,
  type JobStatus,
  type MessageBody,
  type ProgressBody,
} from '@agent-marketplace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Work } from '../../house/work.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { CallbackCall, CallbackDoor } from './callback-door.ts'
import type { Delivering } from './dispatching/delivering.ts'
import {
  type DispatchRow,
  findByTokenHash,
  findOpenRound,
  hasLaterRound,
} from './dispatching/dispatch-store.ts'
import type { FindWork } from './dispatching/readiness.ts'
import { inSellersName, type SellersCaller } from './in-sellers-name.ts'
import type { Probes } from './liveness/probes.ts'
import { accessTo, callbackTokenOf, hashOfToken, isCallbackToken } from './message.ts'
import type { DeliveredWork } from './reply.ts'
import { isDeactivated, saveSeen } from './store.ts'

export interface CallbackDeps {
  workOf: FindWork
  db: Database
  clock: Clock
  delivering: Delivering
  tokenSecret: string
  markSeen: Probes['markSeen']
  statusOf: (jobId: string, sellerId: string) => Promise<JobStatus>
  /** Both in the seller's name. */
  reportProgress: (
    tx: Transaction,
    jobId: string,
    caller: SellersCaller,
    report: ProgressBody,
  ) => Promise<JobProgress>
  sendMessage: (
    tx: Transaction,
    jobId: string,
    caller: SellersCaller,
    message: MessageBody,
  ) => Promise<{ message: JobMessage }>
  /** As the seller reads them. */
  newestMessages: (viewer: SellersCaller, page: { jobId: string; limit: number }) => Promise<JobMessage[]>
  /** Files go in and come out as they do for the seller. */
  jobFiles: {
    upload(
      request: FastifyRequest,
      caller: SellersCaller,
      file: { jobId: string; name: string },
    ): Promise<JobFile>
    download(
      request: FastifyRequest,
      reply: FastifyReply,
      viewer: SellersCaller,
      file: { jobId: string; fileId: string },
    ): Promise<void>
  }
}

interface FileUrl {
  jobId: string
  fileId: string
  access: string
}

interface UrlDoor {
  /** What a call by one of our URLs is counted for; undefined where it is invalid or has expired. */
  jobOfUrl(params: unknown, query: unknown): Promise<string | undefined>
}

/** What agents report after a 202. A token is valid for one round of one job, as long as the agent has it. */
export function createCallbacks(deps: CallbackDeps): CallbackDoor & UrlDoor {
  const { db, clock, delivering, statusOf, workOf } = deps

  async function authorise({ jobId, token }: CallbackCall): Promise<{ dispatch: DispatchRow; work: Work }> {
    const dispatch = token === undefined ? undefined : await findByTokenHash(db, hashOfToken(token))
    if (!dispatch)
      throw new AppError('UNAUTHORIZED', { message: 'Send the token of the callback as the Bearer token.' })
    if (dispatch.jobId !== jobId)
      throw new AppError('FORBIDDEN', { message: 'This token is for another job.' })
    const work = await workOf(db, jobId)
    if (!work || (await isDeactivated(db, work.sellerId))) throw ended('the account is deactivated')
    if (dispatch.state === 'FAILED' || dispatch.state === 'STOPPED')
      throw ended('the job is not with the agent any more')
    if (dispatch.state !== 'DELIVERED' && dispatch.giveUpAt <= clock.now())
      throw ended('the deadline has passed')
    return { dispatch, work }
  }

  /** What a repeated delivery finds. After a request for changes, it would deliver work for a round that is over. */
  async function statusAfter(dispatch: DispatchRow, sellerId: string): Promise<JobStatus> {
    const status = await statusOf(dispatch.jobId, sellerId)
    if (status !== 'IN_PROGRESS' && !(await hasLaterRound(db, dispatch.id))) return status
    throw new AppError('CONFLICT', {
      message:
        'The work of this token is delivered, and changes were requested since. Use the token of the new round.',
    })
  }

  async function authoriseWork(
    call: CallbackCall,
  ): Promise<{ dispatch: DispatchRow; caller: SellersCaller }> {
    const { dispatch, work } = await authorise(call)
    if (dispatch.state === 'DELIVERED') throw ended('the job is delivered')
    return { dispatch, caller: inSellersName(work.sellerId) }
  }

  /** A call from the agent shows that it is online. */
  async function write<Written>(
    call: CallbackCall,
    save: (tx: Transaction, caller: SellersCaller) => Promise<Written>,
  ): Promise<Written> {
    const { dispatch, caller } = await authoriseWork(call)
    const written = await db.transaction(async (tx) => {
      const saved = await save(tx, caller)
      await saveSeen(tx, dispatch.agentId, clock.now())
      return saved
    })
    await deps.markSeen(dispatch.agentId)
    return written
  }

  /** The token of the round that this URL of ours belongs to. */
  async function tokenBehind({ jobId, fileId, access }: FileUrl): Promise<string | undefined> {
    const round = await findOpenRound(db, jobId)
    const token = round && callbackTokenOf(round.id, deps.tokenSecret)
    return token !== undefined && isSame(access, accessTo(fileId, token)) ? token : undefined
  }

  /** In whose name a file is read, which a URL of ours opens as well as the token. */
  async function readerOf(
    call: CallbackCall,
    { fileId, access }: { fileId: string; access: string | undefined },
  ): Promise<SellersCaller> {
    if (call.token !== undefined || access === undefined) return (await authoriseWork(call)).caller
    const token = await tokenBehind({ jobId: call.jobId, fileId, access })
    if (token === undefined)
      throw new AppError('UNAUTHORIZED', { message: 'This URL is invalid or has expired.' })
    return (await authoriseWork({ ...call, token })).caller
  }

  return {
    async jobOfToken(token: string): Promise<string | undefined> {
      const dispatch = isCallbackToken(token) ? await findByTokenHash(db, hashOfToken(token)) : undefined
      return dispatch && isWithAgent(dispatch) ? dispatch.jobId : undefined
    },

    async jobOfUrl(params, query) {
      const url = fileUrlOf(params, query)
      return url && (await tokenBehind(url)) !== undefined ? url.jobId : undefined
    },

    async newestMessages(call: CallbackCall, limit: number): Promise<JobMessage[]> {
      const { caller } = await authoriseWork(call)
      return deps.newestMessages(caller, { jobId: call.jobId, limit })
    },

    async upload(call: CallbackCall, request: FastifyRequest, name: string): Promise<JobFile> {
      const { caller } = await authoriseWork(call)
      return deps.jobFiles.upload(request, caller, { jobId: call.jobId, name })
    },

    async download(call, { request, reply }, file): Promise<void> {
      const reader = await readerOf(call, file)
      await deps.jobFiles.download(request, reply, reader, { jobId: call.jobId, fileId: file.fileId })
    },

    reportProgress: (call: CallbackCall, report: ProgressBody): Promise<JobProgress> =>
      write(call, (tx, caller) => deps.reportProgress(tx, call.jobId, caller, report)),

    sendMessage: async (call: CallbackCall, message: MessageBody): Promise<JobMessage> =>
      (await write(call, (tx, caller) => deps.sendMessage(tx, call.jobId, caller, message))).message,

    /** Repeating it finds the work delivered, and changes nothing. */
    async deliver(call: CallbackCall, delivered: DeliveredWork): Promise<JobStatus> {
      const { dispatch, work } = await authorise(call)
      if (dispatch.state === 'DELIVERED') return statusAfter(dispatch, work.sellerId)
      const { attempts } = dispatch
      const brought = {
        work: delivered,
        files: [],
        attempts,
        responseStatus: null,
        requestId: call.requestId,
      }
      try {
        const status = await delivering(dispatch, brought)
        await deps.markSeen(dispatch.agentId)
        return status
      } catch (error) {
        // The same call, a moment earlier.
        if ((await authorise(call)).dispatch.state !== 'DELIVERED') throw error
        return statusAfter(dispatch, work.sellerId)
      }
    },
  }
}

/** Of a request that nobody has checked yet. */
function fileUrlOf(params: unknown, query: unknown): FileUrl | undefined {
  const { id: jobId, fileId } = Object(params) as Record<string, unknown>
  const { access } = Object(query) as Record<string, unknown>
  if (typeof jobId !== 'string' || typeof fileId !== 'string' || typeof access !== 'string') return undefined
  return /^[0-9a-z]{1,40}$/.test(jobId) ? { jobId, fileId, access } : undefined
}

const isWithAgent = ({ state }: DispatchRow): boolean => state === 'PENDING' || state === 'WORKING'

const isSame = (given: string, expected: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const ended = (why: string) =>
  new AppError('UNAUTHORIZED', { message: `This token is no longer valid: ${why}.` })
