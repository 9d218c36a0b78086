import { createSealer, type MasterKeys } from './seal.ts'
import type { SealedKeyStore } from './sealed-key-store.ts'

const batchSize = 100

/**
 * Seals every key again that an older master key sealed; afterwards that master key can be thrown away. It may be
 * stopped, repeated and run next to a working service: each key is swapped only if it is still the one that was read.
 */
export async function resealWallets({
  masterKeys,
  store,
}: {
  masterKeys: MasterKeys
  store: SealedKeyStore
}): Promise<{ resealed: number }> {
  const sealer = createSealer(masterKeys)
  let resealed = 0
  for (;;) {
    const agentIds = await store.listSealedUnderOtherKeys(sealer.currentKeyId, batchSize)
    if (agentIds.length === 0) return { resealed }
    for (const agentId of agentIds) {
      const wallet = await store.load(agentId)
      // Another run may have been quicker since the list was read.
      if (wallet === undefined || wallet.sealedKey.startsWith(`${sealer.currentKeyId}.`)) continue
      const owner = { agentId, address: wallet.address }
      const privateKey = sealer.open(wallet.sealedKey, owner)
      const change = { from: wallet.sealedKey, to: sealer.seal(privateKey, owner) }
      privateKey.fill(0)
      if (await store.replaceKey(agentId, change)) resealed += 1
    }
  }
}
