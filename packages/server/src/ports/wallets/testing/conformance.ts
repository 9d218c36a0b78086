import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { addressesOf } from '@agent-marketplace/chain'
import { AppError } from '@agent-marketplace/contract'
import { recoverTypedDataAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentWallet, SpendAuthorization, TokenDomain, WalletsPort } from '../port.ts'
import { startTokenDevnet, type TokenDevnet } from './token-devnet.ts'

/** A provider that the suite can switch off and on again, as a restart would. */
export interface WalletsUnderTest {
  wallets: WalletsPort
  /** Everything that must never be seen outside. */
  secrets(): Promise<string[]>
  takeDown(): Promise<void>
  bringBack(): Promise<WalletsPort>
  close(): Promise<void>
}

const payee = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

/** What every adapter promises, judged by the token's own contract on a real EVM. */
export function describeWallets(name: string, open: (token: TokenDomain) => Promise<WalletsUnderTest>): void {
  describe(`wallets port, ${name}`, () => {
    let chain: TokenDevnet
    let subject: WalletsUnderTest
    let wallets: WalletsPort
    let count = 0

    beforeAll(async () => {
      chain = await startTokenDevnet()
      subject = await open(chain.token)
      wallets = subject.wallets
    })

    afterAll(async () => {
      await subject.close()
      await chain.close()
    })

    const newAgentId = () => {
      count += 1
      return `c${String(count).padStart(24, '0')}`
    }
    const provision = (perTxLimitMicro?: bigint) =>
      wallets.provision({ agentId: newAgentId(), limits: { perTxLimitMicro } })

    const spend = (wallet: AgentWallet, change: Partial<SpendAuthorization> = {}): SpendAuthorization => ({
      domain: chain.token,
      from: wallet.address,
      to: payee,
      value: 1_000_000n,
      validAfter: 0n,
      validBefore: BigInt(chain.now() + 3600),
      nonce: `0x${randomBytes(32).toString('hex')}`,
      ...change,
    })
    const sign = (wallet: AgentWallet, change: Partial<SpendAuthorization> = {}) =>
      wallets.signTransfer({ walletId: wallet.walletId, authorization: spend(wallet, change) })
    const codeOf = (attempt: Promise<unknown>) =>
      attempt.then(
        () => 'none',
        (error) => (error instanceof AppError ? error.code : `not an AppError: ${error}`),
      )

    test('says who holds the keys', () => {
      expect(wallets.custody.isTee).toBe(wallets.custody.kind === 'cdp')
      expect(wallets.custody.statement.toLowerCase()).toContain('trusted execution environment')
      if (!wallets.custody.isTee) expect(wallets.custody.statement).toContain('not a trusted')
    })

    test('gives each agent one wallet, also when asked again or many times at once', async () => {
      const agentId = newAgentId()
      const limits = { perTxLimitMicro: 5_000_000n }
      const first = await wallets.provision({ agentId, limits })
      expect(first.address).toMatch(/^0x[0-9a-fA-F]{40}$/)
      expect(await wallets.provision({ agentId, limits })).toEqual(first)

      const contested = newAgentId()
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => wallets.provision({ agentId: contested, limits })),
      )
      expect(new Set(responses.map(({ address }) => address)).size).toBe(1)
      expect(responses[0]?.address).not.toBe(first.address)
    })

    test('signs a transfer that the token accepts, once', async () => {
      const wallet = await provision()
      await chain.give(wallet.address, 3_000_000n)
      const authorization = spend(wallet, { value: 2_000_000n })
      const signature = await wallets.signTransfer({ walletId: wallet.walletId, authorization })
      await expect(chain.relay({ ...authorization, value: 2_000_001n }, signature)).rejects.toThrow('refuses')
      await chain.relay(authorization, signature)
      expect(await chain.balanceOf(wallet.address)).toBe(1_000_000n)
      await expect(chain.relay(authorization, signature)).rejects.toThrow('refuses')
    })

    test('signs nothing but a transfer of the token from this wallet', async () => {
      const wallet = await provision()
      const other = await provision()
      const { token } = chain
      const refused: Partial<SpendAuthorization>[] = [
        { domain: { ...token, verifyingContract: payee } },
        { domain: { ...token, chainId: 1 } },
        { domain: { ...token, name: 'Another Coin' } },
        { domain: { ...token, version: '1' } },
        { from: other.address },
        { from: 'nobody' },
        { to: '0x12' },
        { value: 0n },
        { value: -1n },
        { value: 2n ** 256n },
        { nonce: '0x01' },
        { validAfter: 10n, validBefore: 10n },
        { validAfter: -1n },
      ]
      for (const change of refused)
        expect([change, await codeOf(sign(wallet, change))]).toEqual([change, 'FORBIDDEN'])
    })

    test('agrees to be named as its agent’s wallet, whatever it may pay', async () => {
      const limits = { perTxLimitMicro: 0n, payees: [payee] }
      const { walletId, address } = await wallets.provision({ agentId: newAgentId(), limits })
      const message = { agentId: 7n, owner: payee, deadline: 1_800_000_000n } as const
      const { agentId: onChainAgentId, owner, deadline } = message
      const signature = await wallets.signConsent({ walletId, consent: { onChainAgentId, owner, deadline } })
      const fields = { agentId: 'uint256', newWallet: 'address', owner: 'address', deadline: 'uint256' }
      const signer = await recoverTypedDataAddress({
        domain: {
          name: 'ERC8004IdentityRegistry',
          version: '1',
          chainId: chain.token.chainId,
          verifyingContract: addressesOf(chain.token.chainId).agentRegistry,
        },
        types: { AgentWalletSet: Object.entries(fields).map(([field, type]) => ({ name: field, type })) },
        primaryType: 'AgentWalletSet',
        message: { ...message, newWallet: address },
        signature,
      })
      expect(signer).toBe(address)
    })

    test('holds every transfer to the limit, whichever was set last', async () => {
      const agentId = newAgentId()
      const wallet = await wallets.provision({ agentId, limits: { perTxLimitMicro: 1_000_000n } })
      const { walletId } = wallet
      expect(await codeOf(sign(wallet, { value: 1_000_000n }))).toBe('none')
      expect(await codeOf(sign(wallet, { value: 1_000_001n }))).toBe('FORBIDDEN')

      await wallets.updateLimits({ walletId, limits: { perTxLimitMicro: 2_000_000n } })
      expect(await codeOf(sign(wallet, { value: 2_000_000n }))).toBe('none')
      expect(await codeOf(sign(wallet, { value: 2_000_001n }))).toBe('FORBIDDEN')

      await wallets.provision({ agentId, limits: { perTxLimitMicro: 0n } })
      expect(await codeOf(sign(wallet, { value: 1n }))).toBe('FORBIDDEN')

      await wallets.updateLimits({ walletId, limits: {} })
      expect(await codeOf(sign(wallet, { value: 10n ** 15n }))).toBe('none')
    })

    test('knows no wallet that it did not make', async () => {
      const wallet = await provision()
      const limits = { perTxLimitMicro: 1n }
      for (const walletId of ['c999999999999999999999999', payee, '', '../accounts']) {
        const authorization = spend({ ...wallet, address: payee })
        expect(await codeOf(wallets.signTransfer({ walletId, authorization }))).toBe('NOT_FOUND')
        expect(await codeOf(wallets.updateLimits({ walletId, limits }))).toBe('NOT_FOUND')
        const consent = { onChainAgentId: 1n, owner: payee, deadline: 1n }
        expect(await codeOf(wallets.signConsent({ walletId, consent }))).toBe('NOT_FOUND')
      }
    })

    test('is UNAVAILABLE while its provider is away, and has the same wallets afterwards', async () => {
      const agentId = newAgentId()
      const waiting = newAgentId()
      const limits = { perTxLimitMicro: 1_000_000n }
      const wallet = await wallets.provision({ agentId, limits })
      await subject.takeDown()
      expect(await codeOf(wallets.provision({ agentId: waiting, limits }))).toBe('UNAVAILABLE')
      expect(await codeOf(wallets.updateLimits({ walletId: wallet.walletId, limits: {} }))).toBe(
        'UNAVAILABLE',
      )
      expect(await codeOf(sign(wallet))).toBe('UNAVAILABLE')

      wallets = await subject.bringBack()
      expect(await wallets.provision({ agentId, limits })).toEqual(wallet)
      expect(await codeOf(sign(wallet))).toBe('none')
      expect(await codeOf(sign(wallet, { value: 1_000_001n }))).toBe('FORBIDDEN')
      const late = await wallets.provision({ agentId: waiting, limits })
      expect(await codeOf(sign(late))).toBe('none')
    })

    test('shows no secret: not in its own print, not in an error', async () => {
      const wallet = await provision(1n)
      const errors = await Promise.all(
        [
          sign(wallet),
          sign(wallet, { from: payee }),
          wallets.signTransfer({ walletId: 'unknown', authorization: spend(wallet) }),
        ].map((attempt) => attempt.catch((error: unknown) => error)),
      )
      const shown = [wallets, wallet, ...errors].map((value) =>
        inspect(value, { depth: 20, showHidden: true }),
      )
      shown.push(String(wallets), JSON.stringify(wallets))
      const secrets = await subject.secrets()
      expect(secrets.length).toBeGreaterThan(0)
      for (const secret of secrets) for (const text of shown) expect(text).not.toContain(secret)
    })
  })
}
