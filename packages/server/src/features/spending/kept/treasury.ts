import { unitOf } from '../../../house/books/kept-days/days.ts'
import { walletAccount } from '../../../money/books/accounts.ts'
import { wasTreasury } from '../../../money/roles/roles.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { ChainEventOf } from '../../../ports/chain/port.ts'

/**
 * What a client got back is what neither the agent nor a treasury got. When a wallet becomes the treasury, or a fork takes
 * that back, the minutes of the jobs of which it got a share are added up again.
 */
export async function dueByTreasury(tx: Transaction, event: ChainEventOf<'RoleChanged'>): Promise<void> {
  if (event.role !== 'treasury' || (await wasTreasury(tx, event))) return
  await tx.run(sql`
    insert into spending_days_due (owner_id, day, minute)
    select distinct known.owner_id, ${unitOf('day', sql`known.at`)}, ${unitOf('minute', sql`known.at`)}
    from journal_postings share join journal_entries e on e.id = share.entry_id
      join journal_entries same on same.job_id = e.job_id join spending_entries known on known.entry_id = same.id
    where share.account = ${walletAccount(event.current)}`)
}
