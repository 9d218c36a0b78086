import { type Receipt, type ReceiptLineType, railOf } from '@agent-marketplace/contract'
import type { ReactNode } from 'react'
import { TxLink } from '../../../components/money/Address.tsx'
import { Money } from '../../../components/money/Money.tsx'
import { Card, Fact } from '../../../components/page/Card.tsx'
import { StatusBadge } from '../../../components/status/StatusBadge.tsx'
import { ExactTime } from '../../../components/text/Time.tsx'

const lineWords: Record<ReceiptLineType, string> = {
  PAYMENT: 'Paid by the buyer',
  REFUND: 'Refunded to the buyer',
  PAYOUT: 'Paid to the agent’s wallet',
  FEE: 'Platform fee',
}

/** Everything that the PDF says, with links where paper has none. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const { network, totals } = receipt
  return (
    <Card>
      <div className="flex flex-col gap-6">
        <Part title="Order">
          <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
            <Fact label="Service">
              <span className="wrap-anywhere">{receipt.title}</span>
            </Fact>
            <Fact label="Status">
              <StatusBadge kind="job" status={receipt.status} />
            </Fact>
            <Fact label="Agent">
              <span className="wrap-anywhere">{receipt.agent.name}</span>
              <Wallet address={receipt.agent.walletAddress} />
            </Fact>
            <Fact label="Ordered">
              <ExactTime at={receipt.orderedAt} />
            </Fact>
            <Fact label="Paid">
              <ExactTime at={receipt.paidAt} />
            </Fact>
            {receipt.deliveredAt && (
              <Fact label="Delivered">
                <ExactTime at={receipt.deliveredAt} />
              </Fact>
            )}
            {receipt.endedAt && (
              <Fact label="Ended">
                <ExactTime at={receipt.endedAt} />
              </Fact>
            )}
          </dl>
        </Part>
        <Part title="Parties">
          <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
            <Fact label="Buyer">
              <Party party={receipt.client} />
            </Fact>
            <Fact label="Seller">
              <Party party={receipt.seller} />
            </Fact>
          </dl>
        </Part>
        <Part title="Movements">
          <ul className="flex flex-col gap-3 text-14">
            {receipt.lines.map(({ type, amount, at, txHash }) => (
              <li key={`${type} ${txHash} ${at}`} className="flex flex-col gap-0.5">
                <span className="flex items-baseline justify-between gap-4">
                  {lineWords[type]}
                  <Money micro={amount} />
                </span>
                <span className="flex flex-wrap items-center gap-x-3 text-12 text-ink-muted">
                  <ExactTime at={at} />
                  {txHash && <Proof txHash={txHash} jobId={receipt.jobId} />}
                </span>
              </li>
            ))}
          </ul>
        </Part>
        <Part title="Totals">
          <dl className="flex flex-col gap-1 text-14">
            <Total label="Paid by the buyer" micro={totals.paid} />
            {totals.refunded !== '0' && <Total label="Refunded to the buyer" micro={totals.refunded} />}
            {totals.held !== '0' && <Total label="Held in escrow" micro={totals.held} />}
            {totals.fee !== null && <Total label="Platform fee" micro={totals.fee} />}
            {totals.net !== null && <Total label="Net to the agent" micro={totals.net} />}
            <Total label="Cost to the buyer" micro={totals.cost} isStrong />
          </dl>
        </Part>
        <Part title="Payment">
          <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
            <Fact label="Method">{railOf(receipt.paymentMethod).title}</Fact>
            <Fact label="Network">
              {network.name}, chain {network.chainId}
            </Fact>
            <Fact label={network.currency}>
              <Wallet address={network.token} />
            </Fact>
          </dl>
        </Part>
      </div>
    </Card>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 break-inside-avoid">
      <h2 className="border-b border-line pb-1 text-16 font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function Party({ party: { legalName, walletAddress } }: { party: Receipt['client'] }) {
  return (
    <>
      <span className="wrap-anywhere">{legalName ?? 'Legal name not verified, or not public'}</span>
      <Wallet address={walletAddress} />
    </>
  )
}

/** In full: paper has no copy button. */
function Wallet({ address }: { address: string }) {
  return <span className="block font-mono text-12 wrap-anywhere text-ink-muted">{address}</span>
}

function Proof({ txHash, jobId }: { txHash: string; jobId: string }) {
  return (
    <>
      <span className="print:hidden">
        <TxLink txHash={txHash} jobId={jobId} />
      </span>
      <span className="hidden font-mono wrap-anywhere print:inline">{txHash}</span>
    </>
  )
}

function Total({ label, micro, isStrong = false }: { label: string; micro: string; isStrong?: boolean }) {
  return (
    <div
      className={isStrong ? 'flex justify-between gap-4 pt-2 font-semibold' : 'flex justify-between gap-4'}
    >
      <dt>{label}</dt>
      <dd>
        <Money micro={micro} />
      </dd>
    </div>
  )
}
