import {
  AppError,
  DeliveryBody,
  invalidField,
  MAX_BODY_BYTES,
  MAX_FILES_AT_ONCE,
} from '@agent-marketplace/contract'
import { Compile } from 'typebox/compile'
import { parseJsonBody } from '../../platform/http/forms/json-body.ts'
import { type CallResult, excerptOf } from '../../platform/outbound/guarded-call.ts'
import { type AgentFile, type DeliveredWork, type Heard, nothingHeard, type Reply } from './reply.ts'

/** The pauses before each further attempt; the last one repeats until the deadline. */
const RETRY_DELAYS_SECONDS = [10, 30, 60, 120, 300, 600, 1_200, 1_800] as const
const LONGEST_DELAY_SECONDS = 3_600

export const FAILURES_BEFORE_PAUSE = 3

export const delayAfter = (attempt: number): number =>
  RETRY_DELAYS_SECONDS[attempt - 1] ?? LONGEST_DELAY_SECONDS

const MAX_EXCERPT_CHARACTERS = 200
const validator = Compile(DeliveryBody)

export function readReply(result: CallResult): Reply {
  if (result.kind === 'failure') return { kind: 'FAILURE', status: null, error: result.why }
  const { status, text, end } = result
  const failure = (error: string): Reply => ({ kind: 'FAILURE', status, error })
  if (status === 202) return { kind: 'WORKING', status }
  if (status >= 300 && status < 400)
    return failure(`The agent returned ${status}. Redirects are not followed.`)
  if (status !== 200) {
    const excerpt = excerptOf(text, MAX_EXCERPT_CHARACTERS)
    return failure(
      excerpt === '' ? `The agent returned ${status}.` : `The agent returned ${status}: ${excerpt}`,
    )
  }
  if (end === 'TOO_LARGE') return failure(`The response is larger than ${MAX_BODY_BYTES} bytes.`)
  if (end === 'CUT_OFF') return failure('The response was cut off, or took too long.')
  return readResult(status, text)
}

/** The same for what did not come as a response's text: a part of a task. */
export function checkWork(status: number, work: DeliveredWork, files: AgentFile[]): Reply {
  let text: string
  try {
    text = JSON.stringify(work)
  } catch {
    // Parsed without recursion and serialised with it: nested too deeply for the stack.
    return { kind: 'FAILURE', status, error: 'The result is nested too deeply.' }
  }
  if (Buffer.byteLength(text) > MAX_BODY_BYTES)
    return { kind: 'FAILURE', status, error: `The result is larger than ${MAX_BODY_BYTES} bytes.` }
  return readResult(status, text, files)
}

function readResult(status: number, text: string, files: AgentFile[] = []): Reply {
  let value: unknown
  try {
    value = parseJsonBody(Buffer.from(text, 'utf8'))
  } catch (error) {
    return { kind: 'FAILURE', status, error: `The response is no result: ${messageOf(error)}` }
  }
  if (validator.Check(value)) return { kind: 'RESULT', status, work: value, files }
  const [problem] = validator.Errors(value)
  const where = problem?.instancePath ? `${problem.instancePath} ` : ''
  return {
    kind: 'FAILURE',
    status,
    error: `The response is no result: ${where}${problem?.message ?? 'does not fit'}.`,
  }
}

export function checkFileCount(files: readonly AgentFile[]): void {
  if (files.length > MAX_FILES_AT_ONCE)
    throw invalidField('/files', `are ${files.length}; ${MAX_FILES_AT_ONCE} are the most`)
}

export const withFiles = (work: DeliveredWork, ids: string[]): DeliveredWork =>
  ids.length === 0 ? work : { ...work, files: ids }

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'It cannot be read.')

/** With the fields that are wrong, where a schema says so. */
export function reasonOf(error: AppError): string {
  const { details } = error
  const issues = 'issues' in details && Array.isArray(details.issues) ? details.issues : []
  const list = issues.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`)
  return list.length === 0 ? error.message : `The result is rejected: ${list.join('; ')}.`
}

export interface Verdict {
  ok: boolean
  /** The agent may still deliver. */
  waiting: boolean
  verdict: string
}

const passed = (verdict: string): Verdict => ({ ok: true, waiting: false, verdict })
const failed = (verdict: string): Verdict => ({ ok: false, waiting: false, verdict })

const ASKS = 'The agent took the job, and asks a question. The buyer would get it as a message.'

/** The same of an agent that has taken the job, by what has come by the callback since. */
function judgeHeard({ work, rejection, messages }: Heard): Verdict {
  if (work !== null) return passed('The agent delivered a result by the callback.')
  if (rejection !== null) return { ...failed(rejection), waiting: true }
  if (messages.length > 0) return { ...passed(ASKS), waiting: true }
  return { ...failed('The agent took the job and has not delivered yet.'), waiting: true }
}

/** What a test says of the agent. */
export function judge(
  reply: Reply,
  check: (work: DeliveredWork) => void,
  heard: Heard = nothingHeard,
): Verdict {
  if (reply.kind === 'FAILURE') return failed(reply.error)
  if (reply.kind === 'WORKING') return judgeHeard(heard)
  if (reply.kind === 'TASK')
    return passed(
      reply.task.stage.kind === 'ASKING' ? ASKS : 'The agent took the job, and works on its task.',
    )
  const brought = new Set(heard.files.map(({ id }) => id))
  if (reply.work.files?.some((id) => !brought.has(id)))
    return failed('The result names files that were not brought into the test job.')
  try {
    checkFileCount(reply.files)
    // They are not stored; what counts is that there are some.
    const names = reply.files.map(({ name }) => name)
    check(withFiles(reply.work, names))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return failed(reasonOf(error))
  }
  return passed('The agent delivered a result.')
}
