import type { ChainPort } from '../../ports/chain/port.ts'

/** Trusts a node's logs without proof, as earlier versions did. */
export function withoutProofs(chain: ChainPort): ChainPort {
  const { reader } = chain
  return {
    ...chain,
    reader: {
      ...reader,
      async getBlockEvents({ headers, wallets }) {
        const events = headers.map(({ number }) => {
          const range = { fromBlock: number, toBlock: number }
          return [reader.getEvents(range), reader.getUsdcEvents({ ...range, wallets: [...wallets] })]
        })
        return (await Promise.all(events.flat())).flat()
      },
    },
  }
}
