import { type ChainEventHandler, onChain } from '../../../house/feature.ts'
import type { ChainPort } from '../../../ports/chain/port.ts'
import { deleteFlow, insertFlow, scoreAround } from './flow-store.ts'

const NOBODY = '0x0000000000000000000000000000000000000000'

/**
 * Keeps the transfer graph, in the transaction that stores the transfer. What the platform's own contracts and accounts
 * send or get says nothing about who knows whom.
 */
export function flowHandler({ facts }: Pick<ChainPort, 'facts'>): ChainEventHandler {
  const { chainId, contracts, operator, spender } = facts
  const own = new Set(
    [NOBODY, operator, spender, ...Object.values(contracts)].map((one) => one.toLowerCase()),
  )

  return onChain(
    'UsdcTransferred',
    async (tx, { transactionHash: txHash, logIndex, amountMicro, ...event }, { time: at }) => {
      const from = event.from.toLowerCase()
      const to = event.to.toLowerCase()
      if (from === to || amountMicro === 0n || own.has(from) || own.has(to)) return
      await insertFlow(tx, { chainId, txHash, logIndex, from, to, amountMicro, at })
      await scoreAround(tx, to)
    },
    async (tx, { transactionHash: txHash, logIndex, to }) => {
      await deleteFlow(tx, { chainId, txHash, logIndex })
      await scoreAround(tx, to.toLowerCase())
    },
  )
}
