import type { OwnAgent, OwnerProfile } from '@agent-marketplace/contract'
import { AgentMark } from '../../../components/agents/AgentMark.tsx'
import { Button } from '../../../components/buttons/Button.tsx'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { type Column, DataTable } from '../../../components/lists/DataTable.tsx'
import { Address } from '../../../components/money/Address.tsx'
import { Money } from '../../../components/money/Money.tsx'
import { Skeleton } from '../../../components/page/Skeleton.tsx'
import { useAvailable } from './useAvailable.ts'

interface AgentBalancesProps {
  me: OwnerProfile
  onWithdraw: (agentId: string) => void
}

export function AgentBalances({ me, onWithdraw }: AgentBalancesProps) {
  const isVerified = me.kycStatus === 'VERIFIED'
  const columns: Column<OwnAgent>[] = [
    {
      key: 'agent',
      header: 'Agent',
      isTitle: true,
      cell: ({ name, walletAddress, avatarUrl }) => (
        <span className="flex items-center gap-3">
          <AgentMark address={walletAddress} avatarUrl={avatarUrl} size={32} />
          <span className="wrap-anywhere">{name}</span>
        </span>
      ),
    },
    { key: 'wallet', header: 'Wallet', cell: ({ walletAddress }) => <Address address={walletAddress} /> },
    {
      key: 'balance',
      header: 'Available, USDC',
      align: 'right',
      cell: (agent) => <Available agent={agent} />,
    },
    {
      key: 'withdraw',
      header: 'Withdraw',
      align: 'right',
      cell: (agent) =>
        isVerified ? (
          <WithdrawButton agent={agent} onWithdraw={onWithdraw} />
        ) : (
          <ButtonLink to="/sell/verify" size="small">
            Verify first
          </ButtonLink>
        ),
    },
  ]
  return <DataTable label="Balances" columns={columns} rows={me.agents} rowKey={({ id }) => id} />
}

function Available({ agent }: { agent: OwnAgent }) {
  const { availableMicro, error } = useAvailable(agent)
  if (availableMicro !== undefined) return <Money micro={availableMicro} hidesUnit className="font-medium" />
  return error ? <span className="text-ink-muted">Unknown</span> : <Skeleton className="ml-auto h-4 w-16" />
}

function WithdrawButton({ agent, onWithdraw }: { agent: OwnAgent; onWithdraw: (agentId: string) => void }) {
  const { availableMicro } = useAvailable(agent)
  return (
    <Button
      size="small"
      aria-label={`Withdraw from ${agent.name}`}
      isDisabled={availableMicro === 0n}
      onClick={() => onWithdraw(agent.id)}
    >
      Withdraw
    </Button>
  )
}
