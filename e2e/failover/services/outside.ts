import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { addresses } from '@agent-marketplace/chain'
import { roleKeyOf } from '@agent-marketplace/chain/devnet'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { wallClock } from '../../../packages/server/src/platform/clock/clock.ts'
import { startSumsubStub } from '../../../packages/server/src/ports/kyc/testing/sumsub-stub.ts'
import { startS3 } from '../../../packages/server/src/ports/storage/testing/start-s3.ts'
import { startCdpStub } from '../../../packages/server/src/ports/wallets/testing/cdp-stub.ts'
import { loadSandboxSecrets } from '../../../packages/server/src/sandbox-secrets.ts'
import { builtProgram } from '../../service/built-program.ts'
import { freePort } from '../../service/service-process.ts'
import type { Children } from '../children.ts'
import { statusOf, waitFor } from '../wait.ts'

const START_LIMIT_MS = 120_000
const LEVEL = 'basic-kyc-level'
const CHAIN_ID = 31_337
export const PUBLIC_URL = 'https://market.example.com'

/** USDC and gas out of nothing, from the process that runs the chain. */
export type Faucet = (address: string, amountMicro: bigint) => Promise<void>

export interface Outside {
  /** Where the chain is. */
  rpcUrl: string
  webhookSecret: string
  faucet: Faucet
  /** Lets the provider of identity checks know who an applicant is. */
  identify: (applicantId: string) => void
  /** What the processes of the service are given, except for the database. */
  environment: Record<string, string>
  close(): Promise<void>
}

/**
 * Everything that is outside the service and not to fail: a chain, which a sandbox serves at its `/rpc`; S3; and the
 * stand-ins for Coinbase's wallets and Sumsub, which check what they are sent as those do.
 */
export async function startOutside(children: Children, directory: string): Promise<Outside> {
  const dataDir = join(directory, 'chain')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const chain = children.start('chain', [process.execPath, builtProgram('server/src/main.ts')], {
    environment: {
      DATA_DIR: dataDir,
      PREPARED_DIR: 'off',
      PORT: String(port),
      DEMO: 'off',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    },
  })
  const sumsub = { appToken: hex(), secretKey: hex(), levelName: LEVEL, clock: wallClock }
  const [cdp, kyc, s3] = await Promise.all([startCdpStub(), startSumsubStub(sumsub), startS3()])
  await waitFor('the chain', START_LIMIT_MS, async () => (await statusOf(`${url}/health/ready`)) === 200)

  const faucet: Faucet = async (address, amountMicro) => {
    const response = await fetch(`${url}/api/sandbox/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address, amount: String(amountMicro) }),
    })
    if (!response.ok) throw new Error(`the faucet returned ${response.status}: ${await response.text()}`)
  }
  // Not the sandbox's own spender, which the sandbox would sweep as well.
  const spenderKey = generatePrivateKey()
  await faucet(privateKeyToAccount(spenderKey).address, 1n)
  const webhookSecret = hex()
  const { chainSeed } = loadSandboxSecrets(dataDir)

  return {
    rpcUrl: `${url}/rpc`,
    webhookSecret,
    faucet,
    identify: (applicantId) =>
      void kyc.identities.set(applicantId, {
        type: 'individual',
        info: { firstName: 'Steady', lastName: 'Seller' },
      }),
    environment: {
      RPC_URL: `${url}/rpc`,
      CHAIN_ID: String(CHAIN_ID),
      ALLOW_DEVNET: 'yes',
      ESCROW_ADDRESS: addresses[CHAIN_ID].escrow,
      ESCROW_START_BLOCK: '0',
      OPERATOR_PRIVATE_KEY: roleKeyOf(`0x${chainSeed}`, 'operator'),
      SPENDER_PRIVATE_KEY: spenderKey,
      CDP_URL: cdp.url,
      CDP_API_KEY_ID: cdp.credentials.apiKeyId,
      CDP_API_KEY_SECRET: cdp.credentials.apiKeySecret,
      CDP_WALLET_SECRET: cdp.credentials.walletSecret,
      S3_URL: s3.settings.url,
      S3_BUCKET: s3.settings.bucket,
      S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
      SUMSUB_URL: kyc.url,
      SUMSUB_APP_TOKEN: sumsub.appToken,
      SUMSUB_SECRET_KEY: sumsub.secretKey,
      SUMSUB_WEBHOOK_SECRET: webhookSecret,
      SUMSUB_LEVEL_NAME: LEVEL,
    },
    async close() {
      // In good order: it has a database of its own to stop.
      await chain.end('SIGTERM')
      await Promise.all([cdp.close(), kyc.close(), s3.close()])
    },
  }
}

/** What a process of the service needs to run in production on them, except for its database. */
export const productionSettings = ({ environment }: Outside): Record<string, string> => ({
  ...environment,
  MODE: 'production',
  PUBLIC_URL,
  SESSION_SECRET: hex(),
  METRICS_TOKEN: hex(),
  TRUSTED_PROXIES: '127.0.0.1',
  GAS_BUDGET_OWNER: '1000000000000',
  GAS_BUDGET_PLATFORM: '1000000000000',
  LOG_LEVEL: 'warn',
})

export const hex = (): string => randomBytes(32).toString('hex')
