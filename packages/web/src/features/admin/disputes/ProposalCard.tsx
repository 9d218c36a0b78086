import type { SafeProposal } from '@agent-marketplace/contract'
import type { Signer } from '@agent-marketplace/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../components/buttons/Button.tsx'
import { Address, TxLink } from '../../../components/money/Address.tsx'
import { Card, Fact } from '../../../components/page/Card.tsx'
import { toastDone, toastError } from '../../../components/popups/toast.ts'
import { Badge } from '../../../components/status/StatusBadge.tsx'
import { useConfig } from '../../../data/platform/config.ts'
import { shortAddress } from '../../../format/address.ts'
import { useClient, useSigner } from '../../../session/SessionProvider.tsx'
import { checkRuling } from './check-ruling.ts'

/** A pending ruling: who has signed, who still can, and the transaction that executed it. */
export function ProposalCard({ jobId, proposal }: { jobId: string; proposal: SafeProposal }) {
  const { safe, safeTxHash, sellerBps, confirmations, threshold, txHash } = proposal
  const isSigned = confirmations.length >= threshold
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{sellerBps / 100}% to the seller</h3>
        <Badge tone={txHash ? 'done' : isSigned ? 'active' : 'review'}>
          {txHash
            ? 'Executed'
            : isSigned
              ? 'Being executed'
              : `${confirmations.length} of ${threshold} signed`}
        </Badge>
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        <Fact label="Multisig">
          <Address address={safe} />
        </Fact>
        {confirmations.length > 0 && (
          <Fact label="Signed by">
            <ul aria-label="Signed by" className="flex flex-wrap gap-x-3">
              {confirmations.map((address) => (
                <li key={address}>
                  <Address address={address} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact label="What is signed">
          <code className="font-mono text-12 break-all">{safeTxHash}</code>
        </Fact>
        {txHash && (
          <Fact label="Executed by">
            <TxLink txHash={txHash} />
          </Fact>
        )}
      </dl>
      {!isSigned && <Signatures jobId={jobId} confirmations={confirmations} />}
    </Card>
  )
}

/** In the sandbox the multisig's owners are at hand; elsewhere the wallet that is signed in signs, if it is one of them. */
function Signatures({ jobId, confirmations }: { jobId: string; confirmations: readonly string[] }) {
  const client = useClient()
  const isSandbox = useConfig()?.mode === 'sandbox'
  const own = useSigner()
  const arbiters = useQuery({
    queryKey: ['sandbox', 'arbiters'],
    queryFn: async ({ signal }) =>
      (await client.call('listSandboxWallets', { signal })).data.wallets.filter(
        ({ role }) => role === 'arbiter',
      ),
    enabled: isSandbox,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const hasSigned = (address: string) =>
    confirmations.some((signer) => signer.toLowerCase() === address.toLowerCase())
  if (!isSandbox)
    return (
      own &&
      !hasSigned(own.address) && (
        <SignButton jobId={jobId} label="Sign as an owner of the multisig" open={async () => own} />
      )
    )
  return (
    <div className="flex flex-wrap gap-2">
      {arbiters.data?.map(
        ({ address, privateKey }) =>
          !hasSigned(address) && (
            <SignButton
              key={address}
              jobId={jobId}
              label={`Sign as test owner ${shortAddress(address)}`}
              open={async () => {
                const { privateKeyToAccount } = await import('viem/accounts')
                return privateKeyToAccount(privateKey as `0x${string}`)
              }}
            />
          ),
      )}
    </div>
  )
}

function SignButton({ jobId, label, open }: { jobId: string; label: string; open: () => Promise<Signer> }) {
  const client = useClient()
  const queries = useQueryClient()
  const params = { id: jobId }
  const signing = useMutation({
    mutationFn: async () => {
      const { typedData } = (await client.call('getRuling', { params })).data
      const { chain, contracts } = (await client.call('getConfig')).data
      checkRuling(typedData, { chainId: chain.id, safe: contracts.arbiter, escrow: contracts.escrow })
      const signer = await open()
      const signature = await signer.signTypedData(typedData as Parameters<Signer['signTypedData']>[0])
      await client.call('confirmRuling', { params, body: { signature } })
    },
    onSuccess: async () => {
      toastDone('The signature is submitted.')
      await queries.invalidateQueries({ queryKey: ['admin'] })
    },
    onError: toastError,
  })
  return (
    <Button size="small" isBusy={signing.isPending} onClick={() => signing.mutate()}>
      {label}
    </Button>
  )
}
