import { AppError } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { lockAgentByWallet } from './lookup-store.ts'
import type { AgentRow } from './store.ts'

/** Agents are public, so another's is forbidden rather than unknown. */
export async function ownedAgent(tx: Queryable, wallet: string, ownerId: string): Promise<AgentRow> {
  const row = await lockAgentByWallet(tx, wallet)
  if (!row) throw unknownAgent()
  checkOwner(row, ownerId)
  return row
}

export function checkOwner(row: AgentRow, ownerId: string): void {
  if (row.ownerId !== ownerId)
    throw new AppError('FORBIDDEN', { message: 'This agent belongs to someone else.' })
}

export function unknownAgent(): AppError<'NOT_FOUND'> {
  return new AppError('NOT_FOUND', { message: 'There is no agent with this wallet.' })
}
