import { AppError } from '@agent-marketplace/contract'
import pg from 'pg'

const retryableCodes = new Set(['40001', '40P01'])

/** The database cannot do its work now, and the same statement may succeed later. */
const unavailableCodes = new Set([
  '25006', // read-only server, as during a failover
  '25P03', // idle in a transaction for too long
  '53100', // disk full
  '53200', // out of memory
  '53300', // too many connections
  '57014', // cancelled by the statement timeout
  '57P01', // shut down by an administrator
  '57P02', // crash of another backend
  '57P03', // starting up or recovering
  '57P05', // idle session ended
  ...retryableCodes,
])

const socketCodes = new Set([
  'EACCES',
  'EAGAIN', // a local server whose queue is full
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** pg gives these failures a message and no code. */
const lostConnectionMessage =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after|Query read timeout|timeout exceeded|timeout expired)/

/** Serialisation failure or deadlock: the transaction was rolled back whole and may simply run again. */
export function isSerialisationFailure(error: unknown): boolean {
  return retryableCodes.has(codeOf(originOf(error)))
}

/** The statement took longer than it may. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(originOf(error)) === '57014'
}

/** True when the connection that a statement failed on must not be used again. */
export function breaksConnection(failure: unknown): boolean {
  const error = originOf(failure)
  const code = codeOf(error)
  if (!(error instanceof pg.DatabaseError)) return isLostConnection(error, code)
  if (code.startsWith('08') || code.startsWith('57P') || code === '25P03') return true
  // The server is no longer the primary, and will not be for this connection; a new one may lead to the one that is.
  if (code === '25006') return true
  // A plan prepared before a migration changed its columns stays broken for the life of its connection.
  return code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

/** Failures of the database become UNAVAILABLE and keep their cause; what a statement did wrong passes through. */
export function explainFailure(error: unknown): unknown {
  const isUnavailable = unavailableCodes.has(codeOf(error)) || breaksConnection(error)
  if (!isUnavailable) return error
  return new AppError('UNAVAILABLE', { message: 'The database is not available', cause: error })
}

function isLostConnection(error: unknown, code: string): boolean {
  return error instanceof Error && (socketCodes.has(code) || lostConnectionMessage.test(error.message))
}

function originOf(error: unknown): unknown {
  return error instanceof AppError && error.cause !== undefined ? error.cause : error
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
