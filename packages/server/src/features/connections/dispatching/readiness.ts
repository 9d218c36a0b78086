import type { Work } from '../../../house/work.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { type ConnectionRow, findConnection, isDeactivated } from '../store.ts'
import { type DispatchRow, endDispatch } from './dispatch-store.ts'

export const REMOVED = 'The connection was removed.'
export const NOT_OPEN = 'The job is no longer in progress.'
const DEACTIVATED = 'The account is deactivated.'

export type FindWork = (db: Queryable, jobId: string) => Promise<Work | undefined>

export interface Ready {
  connection: ConnectionRow
  work: Work
}

/** What a call to the agent needs. Where there is no reason left to call, the dispatch stops. */
export async function findReady(
  { db, workOf }: { db: Queryable; workOf: FindWork },
  dispatch: DispatchRow,
): Promise<Ready | undefined> {
  const stop = async (error: string): Promise<undefined> =>
    void (await endDispatch(db, dispatch.id, { state: 'STOPPED', error }))
  const connection = await findConnection(db, dispatch.agentId)
  if (!connection) return stop(REMOVED)
  const work = await workOf(db, dispatch.jobId)
  if (!work?.isOpen) return stop(NOT_OPEN)
  return (await isDeactivated(db, work.sellerId)) ? stop(DEACTIVATED) : { connection, work }
}
