import { randomBytes } from 'node:crypto'
import { createKeyAccount } from '@agent-marketplace/chain'
import { AppError } from '@agent-marketplace/contract'
import { createSealer, type SealingKeys } from '../../platform/sealing/sealer.ts'
import { consentTypedData } from './consent.ts'
import type { Custody, TokenDomain, WalletLimits, WalletsPort } from './port.ts'
import { type SealedKeyStore, type SealedWallet, sealOwnerOf } from './sealed-key-store.ts'
import { admitTransfer, isSameAddress } from './transfer-rules.ts'

interface EmbeddedWalletsOptions {
  masterKeys: SealingKeys
  store: SealedKeyStore
  token: TokenDomain
}

const custody: Custody = {
  kind: 'embedded',
  isTee: false,
  statement:
    'Keys are made and used in the memory of this service and kept encrypted (AES-256-GCM). This is not a trusted execution environment: control of the server is control of the wallets.',
}

/** Wallets whose keys this process makes, seals and uses itself. A key lives in memory only while it signs. */
export function createEmbeddedWallets({ masterKeys, store, token }: EmbeddedWalletsOptions): WalletsPort {
  const sealer = createSealer(masterKeys)

  const makeWallet = (agentId: string, { perTxLimitMicro }: WalletLimits): SealedWallet => {
    const privateKey = randomBytes(32)
    const { address } = createKeyAccount(privateKey)
    const sealedKey = sealer.seal(privateKey, sealOwnerOf(agentId, address))
    privateKey.fill(0)
    return { address, sealedKey, perTxLimitMicro }
  }

  const openAccount = (agentId: string, { address, sealedKey }: SealedWallet) => {
    const privateKey = sealer.open(sealedKey, sealOwnerOf(agentId, address))
    const account = createKeyAccount(privateKey)
    privateKey.fill(0)
    if (!isSameAddress(account.address, address)) {
      throw new AppError('INTERNAL_ERROR', { message: 'The wallet does not hold the key of its address.' })
    }
    return account
  }

  return {
    custody,

    async provision({ agentId, limits }) {
      const found = await store.load(agentId)
      const wallet = found ?? (await store.save(agentId, makeWallet(agentId, limits)))
      // A wallet that cannot be opened would take money and never give it back, so nobody gets its address.
      openAccount(agentId, wallet)
      if (wallet.perTxLimitMicro !== limits.perTxLimitMicro) {
        await store.changeLimit(agentId, limits.perTxLimitMicro)
      }
      return { walletId: agentId, address: wallet.address }
    },

    async updateLimits({ walletId, limits }) {
      if (!(await store.changeLimit(walletId, limits.perTxLimitMicro))) throw unknownWallet()
    },

    async signTransfer({ walletId, authorization }) {
      const wallet = await store.load(walletId)
      if (wallet === undefined) throw unknownWallet()
      const { address, perTxLimitMicro } = wallet
      const typedData = admitTransfer({
        token,
        wallet: { address, limits: { perTxLimitMicro } },
        authorization,
      })
      return await openAccount(walletId, wallet).signTypedData(typedData)
    },

    async signConsent({ walletId, consent }) {
      const wallet = await store.load(walletId)
      if (wallet === undefined) throw unknownWallet()
      const typedData = consentTypedData(token, wallet.address, consent)
      return await openAccount(walletId, wallet).signTypedData(typedData)
    },
  }
}

function unknownWallet(): AppError<'NOT_FOUND'> {
  return new AppError('NOT_FOUND', { message: 'There is no such wallet.' })
}
