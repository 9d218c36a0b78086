import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Flow } from './connections.ts'
import {
  listEscrowPay,
  listFlowsBetween,
  listFlowsFrom,
  listFlowsTo,
  listOwnersOf,
  listPublic,
  listTransfers,
  listWalletsOf,
  type Transfer,
  type WalletFlow,
} from './neighbourhood-store.ts'

/** A payment for work, as far as the graph needs it. */
export interface Payment {
  jobId: string
  clientId: string
  /** In lower case. */
  payerWallet: string
  priceMicro: bigint
  paidAt: Date
}

export interface GraphAround {
  flows: Flow[]
  /** All wallets that money came from. */
  funders: string[]
  isPublic: (party: string) => boolean
  partyOf: (wallet: string) => string
  /** Jobs whose exact price the seller sent back to the wallet that paid. */
  returned: ReadonlySet<string>
}

/** The money around one seller and those who paid them, by party: owners where we know them, else wallets. */
export async function readGraph(
  db: Queryable,
  sellerId: string,
  payments: readonly Payment[],
): Promise<GraphAround> {
  const clientIds = [...new Set(payments.map(({ clientId }) => clientId))].filter((id) => id !== sellerId)
  const payerWallets = [...new Set(payments.map(({ payerWallet }) => payerWallet))]
  const ofSeller = await listWalletsOf(db, [sellerId])
  const ofClients = await listWalletsOf(db, clientIds)
  const sellerWallets = ofSeller.map(({ wallet }) => wallet)
  const own = new Set(sellerWallets)
  const buyerWallets = [...new Set([...payerWallets, ...ofClients.map(({ wallet }) => wallet)])].filter(
    (wallet) => !own.has(wallet),
  )
  // What comes to an agent's wallet is what customers pay; what comes to its owner's own is not.
  const ownWallets = ofSeller.filter(({ isAgent }) => !isAgent).map(({ wallet }) => wallet)
  const toBuyers = await listFlowsTo(db, buyerWallets)
  const fromSeller = await listFlowsFrom(db, sellerWallets)
  const toSeller = await listFlowsTo(db, ownWallets)
  const escrowPay = await listEscrowPay(db, { clients: [sellerId], sellers: clientIds })
  const transfers = await listTransfers(db, { sellerId, from: sellerWallets, to: payerWallets })
  const middle = await listFlowsBetween(
    db,
    [...fromSeller.map(({ to }) => to), ...toSeller.map(({ from }) => from)],
    // A refund makes the seller one of those who sent buyers money. What buyers paid it is still no gift.
    toBuyers.map(({ from }) => from).filter((wallet) => !own.has(wallet)),
  )
  const all = unique([...toBuyers, ...fromSeller, ...toSeller, ...middle])
  const wallets = [...new Set(all.flatMap(({ from, to }) => [from, to]))]
  const known = await listOwnersOf(db, wallets)
  const publicWallets = await listPublic(db, wallets)
  const owners = new Map(
    [...ofSeller, ...ofClients, ...known].map(({ wallet, ownerId }) => [wallet, ownerId]),
  )
  const agentWallets = new Set(known.filter(({ isAgent }) => isAgent).map(({ wallet }) => wallet))
  const partyOf = (wallet: string): string => owners.get(wallet) ?? wallet
  const isPublic = new Set(publicWallets.map(partyOf))
  const { returned, refunds } = matchRefunds(payments, transfers)
  const flows = all.map(({ from, to, amountMicro }) => ({
    from: partyOf(from),
    to: partyOf(to),
    amountMicro: amountMicro - (refunds.get(`${from} ${to}`) ?? 0n),
    isPay: agentWallets.has(to),
  }))
  return {
    flows: [...flows, ...escrowPay.map((pay) => ({ ...pay, isPay: true }))].filter(
      ({ amountMicro }) => amountMicro > 0n,
    ),
    funders: [...new Set(all.map(({ from }) => from))],
    isPublic: (party) => isPublic.has(party),
    partyOf,
    returned,
  }
}

/**
 * Each transfer back of exactly a job's price is the refund of one such job, and says nothing else. Of those that the
 * service made the job is known, and no other of the same price is meant.
 */
function matchRefunds(
  payments: readonly Payment[],
  transfers: readonly Transfer[],
): { returned: Set<string>; refunds: Map<string, bigint> } {
  const returned = new Set(transfers.flatMap(({ refundOf }) => refundOf ?? []))
  const refunds = new Map<string, bigint>()
  for (const { from, to, amountMicro, at, refundOf } of transfers) {
    const jobId =
      refundOf ??
      payments.find(
        (paid) =>
          paid.payerWallet === to &&
          paid.priceMicro === amountMicro &&
          paid.paidAt <= at &&
          !returned.has(paid.jobId),
      )?.jobId
    if (jobId === undefined) continue
    returned.add(jobId)
    const key = `${from} ${to}`
    refunds.set(key, (refunds.get(key) ?? 0n) + amountMicro)
  }
  return { returned, refunds }
}

/** The same pair of wallets may have been read for two reasons. */
function unique(flows: readonly WalletFlow[]): WalletFlow[] {
  return [...new Map(flows.map((flow) => [`${flow.from} ${flow.to}`, flow])).values()]
}
