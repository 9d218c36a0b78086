import type {
  JobFile,
  JobMessage,
  JobProgress,
  JobStatus,
  MessageBody,
  ProgressBody,
} from '@agent-marketplace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DeliveredWork } from './reply.ts'

export interface CallbackCall {
  jobId: string
  token: string | undefined
  requestId: string
}

/** What an agent can do with the token that came with a job, or with a test. */
export interface CallbackDoor {
  /** What calls with this token are counted for; undefined where it is invalid or has expired. */
  jobOfToken(token: string): Promise<string | undefined>
  reportProgress(call: CallbackCall, report: ProgressBody): Promise<JobProgress>
  sendMessage(call: CallbackCall, message: MessageBody): Promise<JobMessage>
  newestMessages(call: CallbackCall, limit: number): Promise<JobMessage[]>
  /** The body of the request is the file. */
  upload(call: CallbackCall, request: FastifyRequest, name: string): Promise<JobFile>
  download(
    call: CallbackCall,
    http: { request: FastifyRequest; reply: FastifyReply },
    file: { fileId: string; access: string | undefined },
  ): Promise<void>
  deliver(call: CallbackCall, work: DeliveredWork): Promise<JobStatus>
}
