import type { Config } from '../config/config.ts'
import { sealedOfConnections } from '../features/connections/sealed-secrets.ts'
import { sealedOwnerDetails } from '../features/owners/sealed-details.ts'
import {
  sealedOldSecrets,
  sealedSecrets,
  sealedSecretsOfResponses,
} from '../features/webhooks/sealed-secrets.ts'
import type { Queryable } from '../platform/db/queryable.ts'
import { drawKey, drawKeys } from '../platform/sealing/draw-keys.ts'
import type { SealedRows } from '../platform/sealing/reseal.ts'
import { createSealer, type Sealer, type SealingKeys } from '../platform/sealing/sealer.ts'
import { sealedWalletKeys } from '../ports/wallets/sealed-key-store.ts'
import type { SandboxSecrets } from '../sandbox-secrets.ts'

const WEBHOOK_SECRETS = 'webhook secrets'

type SessionSecrets = Pick<Config, 'sessionSecret' | 'previousSessionSecret'>

/** What SESSION_SECRET seals: each purpose has a key of its own. */
export function createSealers({ sessionSecret: current, previousSessionSecret: previous }: SessionSecrets) {
  const secrets = { current, previous }
  return {
    // The same key, from before seals named theirs.
    webhooks: createSealer(
      drawKeys(WEBHOOK_SECRETS, secrets, (secret) => [{ ...drawKey(WEBHOOK_SECRETS, secret), id: '' }]),
    ),
    connections: createSealer(drawKeys('connection secrets', secrets, () => [])),
    personalData: createSealer(drawKeys('personal data', secrets, () => [])),
  }
}

/** What the sandbox's master key seals. Production has no such key: its wallets live in CDP. */
export function walletKeysOf({ walletMasterKey: current, previous }: SandboxSecrets): SealingKeys {
  // It sealed by itself once, under this name.
  return drawKeys('agent wallets', { current, previous: previous?.walletMasterKey }, (secret) => [
    { id: 'sandbox', key: Buffer.from(secret, 'hex') },
  ])
}

export interface SealedColumn {
  what: string
  sealer: Sealer
  rows: SealedRows
}

/** Everything in the database that is sealed. Whatever is sealed next is added here. */
export function listSealed(
  db: Queryable,
  secrets: SessionSecrets,
  sandbox: SandboxSecrets | undefined,
): SealedColumn[] {
  const { webhooks, connections, personalData } = createSealers(secrets)
  return [
    ...(sandbox
      ? [{ what: 'wallet keys', sealer: createSealer(walletKeysOf(sandbox)), rows: sealedWalletKeys(db) }]
      : []),
    { what: 'webhook secrets', sealer: webhooks, rows: sealedSecrets(db) },
    { what: 'former webhook secrets', sealer: webhooks, rows: sealedOldSecrets(db) },
    { what: 'webhook secrets in kept responses', sealer: webhooks, rows: sealedSecretsOfResponses(db) },
    { what: 'connection secrets', sealer: connections, rows: sealedOfConnections(db, 'secret') },
    { what: 'former connection secrets', sealer: connections, rows: sealedOfConnections(db, 'oldSecret') },
    { what: 'connection tokens', sealer: connections, rows: sealedOfConnections(db, 'token') },
    { what: 'owners’ details', sealer: personalData, rows: sealedOwnerDetails(db) },
  ]
}
