import { useConfig } from '../../data/platform/config.ts'
import { shortAddress } from '../../format/address.ts'
import { useSession } from '../../session/SessionProvider.tsx'

const contractNames = {
  usdc: 'USDC contract',
  escrow: 'escrow contract',
  agentRegistry: 'agent registry',
  reputationRegistry: 'reputation registry',
  spendPermissionManager: 'spend permission manager',
  arbiter: 'multisig',
  treasury: 'platform’s treasury',
} as const

/** An address by the name that it has for the reader, else in short. */
export function ChainAddress({ address }: { address: string }) {
  const contracts = useConfig()?.contracts
  const session = useSession()
  const isSame = (other: string | null | undefined) => other?.toLowerCase() === address.toLowerCase()
  const own = session.status === 'signedIn' && isSame(session.wallet.address)
  const known = Object.entries(contractNames).find(([name]) =>
    isSame(contracts?.[name as keyof typeof contractNames]),
  )
  if (own) return <span title={address}>your wallet</span>
  if (known) return <span title={address}>the {known[1]}</span>
  return (
    <span title={address} className="font-mono text-[0.9em] whitespace-nowrap">
      {shortAddress(address)}
    </span>
  )
}
