import { unitOf } from '../../../house/books/kept-days/days.ts'
import { walletAccount } from '../../../money/books/accounts.ts'
import { wasTreasury } from '../../../money/roles/roles.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { ChainEventOf } from '../../../ports/chain/port.ts'

/**
 * The fee of an income is what a treasury got in the same entry. When a wallet becomes the treasury, or a fork takes that
 * back, the minutes of all incomes of which it got a share are added up again.
 */
export async function dueByTreasury(tx: Transaction, event: ChainEventOf<'RoleChanged'>): Promise<void> {
  if (event.role !== 'treasury' || (await wasTreasury(tx, event))) return
  await tx.run(sql`
    insert into earning_days_due (account, day, minute)
    select distinct known.account, ${unitOf('day', sql`known.at`)}, ${unitOf('minute', sql`known.at`)}
    from journal_postings share join earning_entries known on known.entry_id = share.entry_id
    where share.account = ${walletAccount(event.current)}`)
}
