import { addressesOf } from '@agent-marketplace/chain'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { createCdpWallets } from '../cdp.ts'
import type { AgentWallet, TokenDomain } from '../port.ts'
import { startCdpStub } from './cdp-stub.ts'

const CHAIN_ID = 31_337

/** The USDC of the chain that every world starts. */
const token: TokenDomain = {
  name: 'USDC',
  version: '2',
  chainId: CHAIN_ID,
  verifyingContract: addressesOf(CHAIN_ID).usdc,
}

/** Wallets whose keys CDP holds, for a whole world, and CDP itself. */
export async function startCdpWallets() {
  const stub = await startCdpStub()
  const wallets = await createCdpWallets({
    ...stub.credentials,
    url: stub.url,
    token,
    timeoutMs: PATIENCE_MS,
  })

  return {
    stub,
    wallets,
    token,

    /** What a thief with this service's credentials would try. */
    stealFrom: ({ walletId, address }: AgentWallet, to: string) =>
      wallets.signTransfer({
        walletId,
        authorization: {
          domain: token,
          from: address,
          to,
          value: 1n,
          validAfter: 0n,
          validBefore: 2_000_000_000n,
          nonce: `0x${'01'.repeat(32)}`,
        },
      }),
  }
}

export type CdpWallets = Awaited<ReturnType<typeof startCdpWallets>>
