import type { Budget } from '@agent-marketplace/contract'
import { Money } from '../../components/money/Money.tsx'

type Window = Budget['spending']['total']

const usedOf = ({ spent, reserved }: Window): bigint => BigInt(spent) + BigInt(reserved)

/** What a program has spent with its credential and what it may spend. What is hired and not paid yet counts as spent. */
export function CredentialBudget({ budget }: { budget: Budget }) {
  const { caps, allowedAgents, allowedCategories, spending } = budget
  const windows = [
    { when: 'today', window: spending.day, cap: caps.perDay },
    { when: 'this month', window: spending.month, cap: caps.perMonth },
    { when: 'in all', window: spending.total, cap: caps.total },
  ]
  const capped = windows.filter(({ cap }) => cap !== undefined)
  const agents = allowedAgents.length === 1 ? '1 agent' : `${allowedAgents.length} agents`
  const allowed = [...(allowedAgents.length > 0 ? [agents] : []), ...allowedCategories]
  return (
    <ul className="flex flex-col gap-1">
      {capped.map(({ when, window, cap = '0' }) => (
        <li key={when}>
          <Money micro={usedOf(window)} hidesUnit /> of <Money micro={BigInt(cap)} /> {when}
        </li>
      ))}
      {capped.length === 0 && (
        <li>
          <Money micro={usedOf(spending.total)} /> spent, no limit
        </li>
      )}
      {caps.perJob !== undefined && (
        <li className="text-14 text-ink-muted">
          at most <Money micro={BigInt(caps.perJob)} /> for one job
        </li>
      )}
      {allowed.length > 0 && <li className="text-14 text-ink-muted">hires only {allowed.join(', ')}</li>}
    </ul>
  )
}
