import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Database } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

/** Shows what a process has heard of a channel, so that a test waits for an announcement and not for time to pass. */
export function hearAnnouncements(channel: string) {
  const marks = new Set<string>()

  return {
    /** For the process: it listens through this database. */
    through: (db: Database): Database => ({
      ...db,
      listen: (name, onMessage, onGap, onLost) => {
        if (name !== channel) return db.listen(name, onMessage, onGap, onLost)
        const hear = (message: string): void => {
          onMessage(message)
          marks.add(message)
        }
        return db.listen(name, hear, onGap, onLost)
      },
    }),

    /** Resolves once the process has handled all that was committed before: messages arrive in the order of commits. */
    async caughtUp(db: Database): Promise<void> {
      const mark = randomUUID()
      await db.run(sql`select pg_notify(${channel}, ${mark})`)
      await expect.poll(() => marks.has(mark)).toBe(true)
    },
  }
}
