import {
  AppError,
  invalidField,
  type JobFile,
  MAX_BYTES_OF_JOB,
  MAX_FILES_AT_ONCE,
} from '@agent-marketplace/contract'
import type { FastifyRequest } from 'fastify'
import { wordsOf } from '../../../house/message-words.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { NewId } from '../../../platform/id/id.ts'
import type { CallbackCall, CallbackDoor } from '../callback-door.ts'
import type { Probes } from '../liveness/probes.ts'
import { hashOfToken } from '../message.ts'
import type { DeliveredWork, Heard } from '../reply.ts'
import { reasonOf } from '../rules.ts'
import { saveCall } from '../store.ts'
import {
  addHeard,
  findTrialByTokenHash,
  lockTrial,
  saveRejection,
  saveWork,
  type TrialRow,
  takeRoom,
} from './trial-store.ts'

const MOST = { progress: 50, messages: 20, files: MAX_FILES_AT_ONCE } as const
/** As for one party of a job. */
export const TRIAL_ROOM_BYTES = MAX_BYTES_OF_JOB

export interface TrialCallbacksDeps {
  db: Database
  clock: Clock
  newId: NewId
  markSeen: Probes['markSeen']
  /** Throws where a delivery does not fit the schema. */
  checkDelivery: (work: DeliveredWork, outputSchema: Record<string, unknown> | null) => void
  /** What the file would be in a job, once all of it has come in; nothing of it stays. `admit` reserves its room first. */
  weigh: (
    request: FastifyRequest,
    name: string,
    admit: (roomBytes: number) => Promise<void>,
  ) => Promise<JobFile>
}

/** The callback of a test job: the same calls and checks as for a real one, with no job behind it. */
export function createTrialCallbacks(deps: TrialCallbacksDeps): CallbackDoor {
  const { db, clock, newId, checkDelivery } = deps

  async function authorise({ jobId, token }: CallbackCall): Promise<TrialRow> {
    const trial = token === undefined ? undefined : await findTrialByTokenHash(db, hashOfToken(token))
    if (!trial || trial.expiresAt <= clock.now()) throw ended('the test is over')
    if (trial.jobId !== jobId) throw new AppError('FORBIDDEN', { message: 'This token is for another job.' })
    return trial
  }

  async function authoriseWork(call: CallbackCall): Promise<TrialRow> {
    const trial = await authorise(call)
    if (trial.work !== null) throw ended('the job is delivered')
    return trial
  }

  const createdAt = (): string => clock.now().toISOString()

  async function add<Kind extends keyof typeof MOST>(
    call: CallbackCall,
    kind: Kind,
    heard: Heard[Kind][number],
  ): Promise<Heard[Kind][number]> {
    if (!(await addHeard(db, call.jobId, kind, heard, MOST[kind]))) throw tooMany(kind)
    return heard
  }

  function check(trial: TrialRow, work: DeliveredWork): void {
    const brought = new Set(trial.files.map(({ id }) => id))
    if (work.files?.some((id) => !brought.has(id)))
      throw invalidField('/files', 'must be files that you have brought into this job')
    checkDelivery(work, trial.outputSchema)
  }

  return {
    async jobOfToken(token) {
      const trial = await findTrialByTokenHash(db, hashOfToken(token))
      return trial && trial.expiresAt > clock.now() ? trial.jobId : undefined
    },

    async reportProgress(call, { step, percent = null, note = null }) {
      await authoriseWork(call)
      return add(call, 'progress', { id: newId(), step, percent, note, createdAt: createdAt() })
    },

    async sendMessage(call, body) {
      const trial = await authoriseWork(call)
      const { attachments = [], files = [] } = body
      const text = wordsOf(body)
      const brought = trial.files.filter(({ id }) => files.includes(id))
      const message = { id: newId(), from: 'SELLER' as const, text, attachments, files: brought }
      return add(call, 'messages', { ...message, createdAt: createdAt() })
    },

    newestMessages: async (call, limit) => (await authoriseWork(call)).messages.slice(-limit),

    async upload(call, request, name) {
      const trial = await authoriseWork(call)
      const { jobId } = trial
      if (trial.files.length >= MOST.files) throw tooMany('files')
      let [taken, used] = [0, 0]
      try {
        const file = await deps.weigh(request, name, async (roomBytes) => {
          if (!(await takeRoom(db, jobId, roomBytes))) throw tooLarge()
          taken = roomBytes
        })
        used = file.sizeBytes
        return await add(call, 'files', file)
      } finally {
        await takeRoom(db, jobId, used - taken)
      }
    },

    async download(call) {
      await authoriseWork(call)
      throw new AppError('NOT_FOUND', { message: 'A test job has no files to open.' })
    },

    async deliver(call, work) {
      const trial = await authorise(call)
      if (trial.work !== null) return 'UNDER_REVIEW'
      try {
        check(trial, work)
      } catch (error) {
        if (error instanceof AppError) await saveRejection(db, trial.jobId, reasonOf(error))
        throw error
      }
      await db.transaction(async (tx) => {
        if ((await lockTrial(tx, trial.jobId))?.work !== null) return
        await saveWork(tx, trial.jobId, work)
        await saveCall(tx, trial.agentId, { at: clock.now(), responseStatus: 202, error: null })
      })
      await deps.markSeen(trial.agentId)
      return 'UNDER_REVIEW'
    },
  }
}

const ended = (why: string) =>
  new AppError('UNAUTHORIZED', { message: `This token is not valid, or no longer: ${why}.` })

const tooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', {
    message: `Your files in a job have at most ${TRIAL_ROOM_BYTES} bytes.`,
    details: { maxBytes: TRIAL_ROOM_BYTES },
  })

const words = { progress: 'progress reports', messages: 'messages', files: 'files' } as const

const tooMany = (kind: keyof typeof MOST) =>
  new AppError('CONFLICT', { message: `A test job has at most ${MOST[kind]} ${words[kind]}.` })
