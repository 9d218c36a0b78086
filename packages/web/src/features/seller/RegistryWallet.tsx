import type { AgentIdentity } from '@agent-marketplace/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button } from '../../components/buttons/Button.tsx'
import { Address } from '../../components/money/Address.tsx'
import { Card, Section } from '../../components/page/Card.tsx'
import { toastError } from '../../components/popups/toast.ts'
import { Badge } from '../../components/status/StatusBadge.tsx'
import { identityQuery } from '../../data/agents/identity.ts'
import { useConfig } from '../../data/platform/config.ts'
import { rpcUrlOf } from '../../data/platform/platform-config.ts'
import { useClient, useSession, useSessionStore } from '../../session/SessionProvider.tsx'

const LOOK_AGAIN_MS = 1_000

/** The wallet that the identity registry names for an agent. Its seller sets it once the token is theirs. */
export function RegistryWallet({ wallet }: { wallet: string }) {
  const session = useSession()
  const { send, isSending, isSent } = useSend(wallet)
  const { data: identity } = useQuery({
    ...identityQuery(useClient(), wallet),
    refetchInterval: ({ state }) => (isSent && state.data?.walletState !== 'SET' ? LOOK_AGAIN_MS : false),
  })
  if (!identity || identity.walletState === 'NOT_REGISTERED') return null
  const isPasskey = session.status === 'signedIn' && session.wallet.kind === 'passkey'
  const isSet = identity.walletState === 'SET'
  const isMine = identity.walletState === 'MISSING' && identity.heldBy === 'SELLER'
  return (
    <Section title="On-chain wallet">
      <Card className="flex flex-col items-start gap-4">
        <Badge tone={isSet ? 'done' : 'pending'}>{isSet ? 'Set' : 'Not set'}</Badge>
        <p className="text-ink-soft" role="status">
          <Words identity={identity} />
        </p>
        {isMine && isPasskey && (
          <p className="text-14 text-ink-muted">
            A passkey wallet of the sandbox sends no transactions. Sign in with a test wallet to set it.
          </p>
        )}
        {isMine && !isPasskey && (
          <Button isBusy={isSending || isSent} onClick={() => send()}>
            Set the wallet on chain
          </Button>
        )}
      </Card>
    </Section>
  )
}

function Words({ identity: { walletState, heldBy, tokenOwner } }: { identity: AgentIdentity }) {
  if (walletState === 'SET') return 'The identity registry names this agent’s wallet. Indexers can find it.'
  if (heldBy === 'PLATFORM')
    return 'The agent’s token is still with the marketplace, which transfers it or sets the wallet automatically.'
  if (heldBy === 'SELLER')
    return 'The token came to you without a wallet: a transfer clears it. Set it with one transaction from your wallet, which pays a little gas. The signature of the agent’s wallet is made now and lasts for minutes.'
  return (
    <>
      The token is held by <Address address={tokenOwner ?? ''} />, which alone can set the wallet.
    </>
  )
}

/** Prepares the call with a fresh signature and has the seller's wallet send it at once. */
function useSend(wallet: string) {
  const client = useClient()
  const session = useSessionStore()
  const config = useConfig()
  const { mutate, isPending, data } = useMutation({
    mutationFn: async () => {
      const { transaction } = await client.prepareAgentWallet(wallet)
      if (!transaction || !config) return undefined
      const { chainId, to, data: call } = transaction
      return session.send({ chainId, to: to as `0x${string}`, data: call as `0x${string}` }, rpcUrlOf(config))
    },
    onError: toastError,
  })
  return { send: mutate, isSending: isPending, isSent: data !== undefined }
}
