import { lazy } from 'react'
import { AgentMark } from '../../components/agents/AgentMark.tsx'
import { loadCode } from '../../data/connection/load-code.ts'
import { shortAddress } from '../../format/address.ts'
import { type Wallet, walletName } from '../../session/wallet.ts'
import { LazyPopup } from '../LazyPopup.tsx'

const loadMenu = () => loadCode(() => import('./AccountMenu.tsx'))
const AccountMenu = lazy(loadMenu)

export function AccountButton({ wallet }: { wallet: Wallet }) {
  return (
    <LazyPopup
      popup={AccountMenu}
      preload={loadMenu}
      button={(props) => (
        <button
          type="button"
          aria-label={`Account ${walletName(wallet)} ${shortAddress(wallet.address)}`}
          className="flex min-h-11 items-center gap-2 rounded-box px-2 hover:bg-sunken"
          {...props}
        >
          <AgentMark address={wallet.address} size={28} className="rounded-pill" />
          <span className="hidden font-mono text-14 lg:inline">{shortAddress(wallet.address)}</span>
        </button>
      )}
    />
  )
}
