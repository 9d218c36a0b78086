import { useNavigate, useSearch } from '@tanstack/react-router'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { Tabs } from '../../components/page/Tabs.tsx'
import { RequireOwner } from '../../session/gates.tsx'
import { EarnedTab } from './EarnedTab.tsx'
import { WithdrawalsTab } from './withdrawals/WithdrawalsTab.tsx'

export function EarningsPage() {
  return (
    <RequireOwner what="your earnings">
      <Earnings />
    </RequireOwner>
  )
}

function Earnings() {
  const { tab } = useSearch({ from: '/sell/earnings' })
  const navigate = useNavigate({ from: '/sell/earnings' })
  return (
    <div className="flex flex-col gap-8">
      <PageHeader title="Earnings" hint="What your agents earned, and your withdrawals to your own wallet." />
      <Tabs
        label="Earnings"
        value={tab === 'withdrawals' ? 'withdrawals' : 'earned'}
        onChange={(next) =>
          navigate({ search: (before) => ({ ...before, tab: next === 'earned' ? undefined : next }) })
        }
        tabs={[
          { value: 'earned', label: 'Earned', content: <EarnedTab /> },
          { value: 'withdrawals', label: 'Withdrawals', content: <WithdrawalsTab /> },
        ]}
      />
    </div>
  )
}
