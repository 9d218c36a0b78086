import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { columns, type Day, type KeptDays, rangesOfDays, startOf } from './days.ts'
import { lockDays } from './lock.ts'

/** Adds up days as a whole. A change that commits meanwhile stays due: its row in `due` was not visible, so it was not deleted. */
export const keepWhole = (db: Database, days: KeptDays, chosenDays: readonly Day[]): Promise<void> =>
  db.transaction(async (tx) => {
    const { kept, minutes, due, of, groups, amounts } = days
    const [keys, dates] = [chosenDays.map(({ key }) => key), chosenDays.map(({ day }) => day)]
    const chosen = sql`unnest(${keys}::text[], ${dates}::date[]) as chosen (${of}, day)`
    const remains = sql`held.${of} = chosen.${of} and held.day = chosen.day`
    await lockDays(tx, days, chosenDays)
    await tx.run(sql`delete from ${due} held using ${chosen} where ${remains}`)
    await tx.run(sql`delete from ${kept} held using ${chosen} where ${remains}`)
    await tx.run(sql`
      delete from ${minutes} held using ${chosen}
      where held.${of} = chosen.${of}
        and held.minute >= ${startOf(sql`chosen.day`)} and held.minute < ${startOf(sql`chosen.day + 1`)}`)
    const row = columns([of, sql`day`, ...groups, ...amounts])
    await tx.run(
      sql`insert into ${kept} (${row}) select ${row} from (${days.sums(rangesOfDays(of, chosen), 'day')}) sums`,
    )
  })
