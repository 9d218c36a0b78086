import { createKeyAccount } from '@agent-marketplace/chain'
import type { EmbeddedChain } from '../../packages/server/src/ports/chain/embedded.ts'
import type { PreparedCall } from '../../packages/server/src/ports/chain/port.ts'

/** More than any of the calls needs. */
export const GAS_LIMIT = 500_000n
const AMOUNT_MICRO = 100_000_000n
const FAR_FUTURE = 4_000_000_000n

/** All deposits, then all deliveries, then all releases: what a job's lane would keep apart goes out in three waves. */
export async function planJobs({ chain, sandbox }: Pick<EmbeddedChain, 'chain' | 'sandbox'>, jobs: number) {
  const payer = createKeyAccount(Buffer.alloc(32, 7))
  const seller = createKeyAccount(Buffer.alloc(32, 8))
  await sandbox.faucet({ address: payer.address, amountMicro: AMOUNT_MICRO * BigInt(jobs) })
  const phases: [PreparedCall[], PreparedCall[], PreparedCall[]] = [[], [], []]
  for (let index = 0; index < jobs; index += 1) {
    const terms = {
      jobRef: chain.escrow.refOf(`bench-${index}`),
      client: payer.address,
      seller: seller.address,
      agentWallet: seller.address,
      amountMicro: AMOUNT_MICRO,
      deadline: 0,
    }
    const validity = { validAfter: 0n, validBefore: FAR_FUTURE }
    const signature = await payer.signTypedData(chain.escrow.fundingTypedData({ terms, ...validity }))
    const key = chain.escrow.keyOf(terms)
    phases[0].push(chain.escrow.depositWithAuthorization({ terms, ...validity, signature }))
    phases[1].push(chain.escrow.submit({ key, deliveryHash: key }))
    phases[2].push(chain.escrow.release({ key }))
  }
  const heldMicro = async (blockNumber: bigint) => (await chain.reader.getEscrowTotals(blockNumber)).heldMicro
  return { phases, heldMicro }
}
