import { type Alert, alertMessages } from '../../house/alerts.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Log } from '../../platform/log/log.ts'
import type { NotificationsService } from './service.ts'

interface AdminAlertDeps {
  db: Database
  log: Log
  notify: NotificationsService['notify']
  adminWallets: ReadonlySet<string>
}

/** Alerts admins: a log line, and a notification to every admin who has signed in before. Never throws. */
export function createAdminAlert({ db, log, notify, adminWallets }: AdminAlertDeps): Alert {
  return async (name, details) => {
    log.error({ alert: name, details }, alertMessages[name])
    try {
      await db.transaction(async (tx) => {
        const admins = await tx.rows<{ id: string }>(
          sql`select id from owners where lower(wallet_address) = any(${[...adminWallets]}) order by id`,
        )
        const alert = {
          type: 'SYSTEM_ALERT',
          title: alertMessages[name],
          message: `The log has the details. What to do is in docs/runbooks.md under ${name}.`,
          link: '/admin',
        } as const
        if (admins.length > 0) await notify(tx, ...admins.map(({ id }) => ({ ownerId: id, ...alert })))
      })
    } catch (error) {
      log.error({ err: error }, 'admins could not be alerted')
    }
  }
}
