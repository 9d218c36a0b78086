import {
  getFees,
  getNonce,
  prepareApprove,
  prepareDeposit,
  prepareOpenDispute,
  prepareRefund,
  sendRawTransaction,
  signTransaction,
} from '@agent-marketplace/chain'
import { pino } from 'pino'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createMoneyEngine, type MoneyEngine } from '../../../money/engine.ts'
import { startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { testAccount } from '../../../money/testing/money-world.ts'
import type { Hex, JobTerms, PreparedCall } from '../../../ports/chain/port.ts'
import { registryReference } from '../../agents/testing/test-agents.ts'
import { startAdmin, testDispute, testJob } from './start-admin.ts'

export const PRICE_MICRO = 1_000_000_001n

/** The console on a real EVM with the real escrow and its real Safe. Parties act from their own wallets. */
export async function startRulings() {
  const chaos = await startChaosChain()
  const { chain, client, roles, addresses } = chaos
  const engines: MoneyEngine[] = []
  const safe = chain.arbiter
  const engineOf = async (): Promise<MoneyEngine> => {
    const [made] = engines
    if (!made) throw new Error('the engine was not made')
    return made
  }
  const api = await startAdmin({
    safe,
    readArbiter: async () => (await engineOf()).roles.holderOf('arbiter'),
    money: ({ db, newId }) => {
      const engine = createMoneyEngine({
        db,
        chain,
        newId,
        log: pino({ level: 'silent' }),
        alert: () => undefined,
        settings: { resendAfterSeconds: 0, replaceAfterSeconds: 600, leaseSeconds: 0 },
      })
      engines.push(engine)
      const unused = () => {
        throw new Error('no agent is registered here')
      }
      return {
        intents: engine.intents,
        registry: {
          reference: registryReference,
          operator: 'eip155:31337:0x0',
          register: unused,
          transfer: unused,
          entryOf: unused,
          setWallet: unused,
        },
      }
    },
  })
  const engine = await engineOf()
  engine.intents.register(api.admin.rulingKind)

  const execute = async (account: PrivateKeyAccount, call: PreparedCall): Promise<void> => {
    const { rawTransaction } = await signTransaction(account, {
      call,
      chainId: chain.facts.chainId,
      nonce: await getNonce(client, { address: account.address, blockTag: 'pending' }),
      gas: 500_000n,
      fees: await getFees(client),
    })
    const { status } = await sendRawTransaction(client, { rawTransaction })
    if (status !== 'accepted') throw new Error(`the chain says ${status}`)
  }

  const party = testAccount(1)
  const seller = testAccount(2)
  for (const { address } of [party, seller]) {
    await chaos.faucet({ address, amountMicro: 100n * PRICE_MICRO })
  }
  let count = 0

  return {
    ...api,
    chaos,
    safe,
    engine,
    execute,
    safeOwners: [roles.safeOwner1, roles.safeOwner2, roles.safeOwner3] as const,
    stranger: testAccount(9),

    /** A job that is funded and disputed on chain. */
    async newDispute() {
      count += 1
      const id = api.newId()
      const agentWallet = testAccount(100 + count).address
      const terms: JobTerms = {
        jobRef: chain.escrow.refOf(id),
        client: party.address,
        seller: seller.address,
        agentWallet,
        amountMicro: PRICE_MICRO,
        deadline: 0,
      }
      const { escrow, usdc } = addresses
      const key = chain.escrow.keyOf(terms)
      await execute(party, prepareApprove({ usdc, spender: escrow, amountMicro: PRICE_MICRO }))
      await execute(party, prepareDeposit({ escrow, terms }))
      await execute(party, prepareOpenDispute({ escrow, key, onBehalfOf: 'client' }))
      api.jobs.set(id, { job: testJob({ id }), dispute: testDispute, escrowKey: key })
      return { id, key, agentWallet }
    },

    /** The seller gives the money back, from their own wallet. */
    giveBack: (key: Hex) => execute(seller, prepareRefund({ escrow: addresses.escrow, key })),

    balanceOf: (address: string) => chain.usdc.balanceOf(address),

    async close() {
      await api.close()
      await chaos.close()
    },
  }
}
