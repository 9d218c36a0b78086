import { railOf } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { MoneyFlow } from '../../../../components/money/MoneyFlow.tsx'
import { WalletBalance } from '../../../../components/money/WalletBalance.tsx'
import { LiveRegion } from '../../../../components/page/LiveRegion.tsx'
import { balanceQuery } from '../../../../data/account/balance.ts'
import { useConfig } from '../../../../data/platform/config.ts'
import { usdcText } from '../../../../format/money.ts'
import { useOwner } from '../../../../session/SessionProvider.tsx'
import { Shortage } from '../../../../shell/funding/Shortage.tsx'
import { useSignedStory } from '../../../../transactions/useSignedStory.ts'
import { MoveDialog } from '../MoveDialog.tsx'
import type { MoveProps } from '../move-props.ts'
import { useJobMove } from '../useJobMove.ts'

/** Pays by the rail that the price decided: one signature, no gas. */
export function PayDialog({ job, onClose }: MoveProps) {
  const config = useConfig()
  const { walletAddress } = useOwner()
  const { data: balanceMicro } = useQuery(balanceQuery(config, walletAddress ?? undefined))
  const withSignedStory = useSignedStory()
  const isEscrow = railOf(job.paymentMethod).holdsMoney
  const priceMicro = BigInt(job.agreedPrice)
  const price = `${usdcText(priceMicro)} USDC`
  const isShort = balanceMicro !== undefined && balanceMicro < priceMicro
  const move = useJobMove({
    job,
    call: (client) =>
      withSignedStory(
        () => ({
          kind: 'payment',
          label: isEscrow ? `Pay ${price} into escrow` : `Pay ${price} to ${job.agent.name}`,
          jobId: job.id,
          seenEvents: job.timeline.length,
        }),
        () => client.payJob(job.id),
      ),
    done: `Payment of ${price} sent.`,
    onDone: onClose,
  })
  return (
    <MoveDialog
      title={`Pay ${price}`}
      description={
        isEscrow
          ? 'The escrow contract holds the money until you approve the delivery, or 7 days after it.'
          : 'The payment goes straight to the agent’s wallet at once. The marketplace takes no fee and cannot take it back.'
      }
      submit={`Sign and pay ${price}`}
      move={move}
      isDisabled={isShort}
      onClose={onClose}
      onSubmit={() => move.mutate()}
    >
      <MoneyFlow
        priceMicro={job.agreedPrice}
        feeMicro={job.platformFee}
        netMicro={job.netAmount}
        agentName={job.agent.name}
      />
      <WalletBalance balanceMicro={balanceMicro} />
      <Shortage balanceMicro={balanceMicro} priceMicro={priceMicro} />
      <p className="text-14 text-ink-muted">
        Your wallet signs a permission for exactly this amount. You pay no gas.
      </p>
      <LiveRegion text={move.isPending ? 'Confirm in your wallet. The payment follows automatically.' : ''} />
    </MoveDialog>
  )
}
