import type { Feature } from '../../house/feature.ts'
import type { Base } from '../../house/ground.ts'
import { requestLogRoutes } from './routes.ts'
import { createRequestLog } from './service.ts'

const CLEANING_SECONDS = 600

/** API requests of an owner's programs, shown to that owner. */
export function defineFeature({ db, log, config, wallClock: clock, newId }: Base): Feature<undefined> {
  const { requestLogDays: days, sessionSecret: cursorSecret } = config
  const requestLog = createRequestLog({ db, clock, newId, log, cursorSecret, days })
  return {
    api: undefined,
    routes: requestLogRoutes({ requestLog }),
    ticks: [{ name: 'request-log', seconds: CLEANING_SECONDS, handler: requestLog.removeOld }],
    retentions: [{ table: 'request_log', keptSince: requestLog.keptSince }],
    gauges: [
      {
        name: 'request_log_dropped',
        help: 'Requests of programs that this process could not record.',
        read: requestLog.droppedCount,
      },
    ],
    httpHooks:
      days === undefined
        ? []
        : [
            (http) =>
              void http.addHook('onResponse', (request, reply, done) => {
                requestLog.note(request, reply)
                done()
              }),
          ],
    close: requestLog.close,
  }
}
