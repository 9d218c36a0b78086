import { type DestinationStream, pino } from 'pino'
import type { Log } from '../log/log.ts'

/** What is logged about every request. Nothing in it is secret or personal, so no search for secrets follows. */
export interface CompletedRequest {
  requestId: string
  method: string
  route: string
  status: number
  milliseconds: number
  ownerId: string | undefined
}

const INFO = 30

/**
 * One line per response, with the fields and the order of the logger that it belongs to, into the same stream. The fields
 * never change, so the line is put together here, for a fifth of what the logger needs to look through an object. None of
 * the texts can break a line: the id is checked or our own, the method is one that the parser knows, the rest is ours.
 */
export function createAccessLog(log: Log): (request: CompletedRequest, now: Date) => void {
  const { [pino.symbols.streamSym]: stream } = log as Log & { [pino.symbols.streamSym]: DestinationStream }
  return ({ requestId, method, route, status, milliseconds, ownerId }, now) => {
    if (!log.isLevelEnabled('info')) return
    const ms = Math.round(milliseconds * 10) / 10
    const owner = ownerId === undefined ? '' : `,"ownerId":"${ownerId}"`
    stream.write(
      `{"level":${INFO},"time":${now.getTime()},"requestId":"${requestId}","method":"${method}","route":"${route}","status":${status},"ms":${ms}${owner},"msg":"request completed"}\n`,
    )
  }
}
