import type {
  CdpConfig,
  ChainConfig,
  EmbeddingsConfig,
  KuboConfig,
  S3Config,
  SumsubConfig,
  WalletConnectConfig,
} from './config.ts'
import { isAddress, webProtocols } from './entry-rules.ts'
import type { SettingReader } from './setting-reader.ts'

export function readChain({ group, number, url, problems }: SettingReader): ChainConfig | undefined {
  const found = group({
    rpcUrl: 'RPC_URL',
    chainId: 'CHAIN_ID',
    escrowAddress: 'ESCROW_ADDRESS',
    escrowStartBlock: 'ESCROW_START_BLOCK',
    operatorPrivateKey: 'OPERATOR_PRIVATE_KEY',
    spenderPrivateKey: 'SPENDER_PRIVATE_KEY',
  })
  if (!found) return undefined
  url('RPC_URL', webProtocols)
  if (found.escrowAddress !== '' && !isAddress(found.escrowAddress))
    problems.push('ESCROW_ADDRESS must be an address, and not the zero address')
  return {
    ...found,
    chainId: found.chainId === '' ? 0 : number('CHAIN_ID', 1, 2 ** 31),
    escrowStartBlock: number('ESCROW_START_BLOCK', 0, Number.MAX_SAFE_INTEGER),
  }
}

export function readCdp({ group, url }: SettingReader): CdpConfig | undefined {
  const address = url('CDP_URL', webProtocols)
  const keys = group({
    apiKeyId: 'CDP_API_KEY_ID',
    apiKeySecret: 'CDP_API_KEY_SECRET',
    walletSecret: 'CDP_WALLET_SECRET',
  })
  return keys && { ...keys, url: address }
}

export function readKubo({ get, url }: SettingReader): KuboConfig | undefined {
  const kuboUrl = url('KUBO_URL', webProtocols)
  return kuboUrl === undefined ? undefined : { url: kuboUrl, authorization: get('KUBO_AUTHORIZATION') }
}

export function readS3({ group, text, url }: SettingReader): S3Config | undefined {
  url('S3_URL', webProtocols)
  const found = group({
    url: 'S3_URL',
    bucket: 'S3_BUCKET',
    accessKeyId: 'S3_ACCESS_KEY_ID',
    secretAccessKey: 'S3_SECRET_ACCESS_KEY',
  })
  return found && { ...found, region: text('S3_REGION') }
}

export function readEmbeddings({ get, text, number, url }: SettingReader): EmbeddingsConfig | undefined {
  const address = url('EMBEDDINGS_URL', webProtocols)
  const minSimilarity = number('EMBEDDINGS_MIN_SIMILARITY', 0, 100) / 100
  if (address === undefined) return undefined
  return { url: address, apiKey: get('EMBEDDINGS_API_KEY'), model: text('EMBEDDINGS_MODEL'), minSimilarity }
}

export function readSumsub({ group, text }: SettingReader): SumsubConfig | undefined {
  const keys = group({
    appToken: 'SUMSUB_APP_TOKEN',
    secretKey: 'SUMSUB_SECRET_KEY',
    webhookSecret: 'SUMSUB_WEBHOOK_SECRET',
  })
  return keys && { ...keys, url: text('SUMSUB_URL'), levelName: text('SUMSUB_LEVEL_NAME') }
}

export function readWalletConnect({ get, url, problems }: SettingReader): WalletConnectConfig | undefined {
  const projectId = get('WALLETCONNECT_PROJECT_ID')
  const relayUrl = url('WALLETCONNECT_RELAY_URL', ['wss:', 'ws:'])
  if (projectId === undefined || relayUrl === undefined) return undefined
  if (!/^[0-9a-f]{32}$/i.test(projectId)) problems.push('WALLETCONNECT_PROJECT_ID must be 32 hex digits')
  return { projectId, relayUrl }
}

/** Money is sent there: it is a secure page, and its address says where the wallet belongs. */
export function readOnramp({ get, url, problems }: SettingReader): string | undefined {
  const address = url('ONRAMP_URL', ['https:'])
  if (get('ONRAMP_URL')?.split(WALLET_PLACE).length !== 2 && address !== undefined)
    problems.push(`ONRAMP_URL must hold ${WALLET_PLACE} once, where the wallet's address belongs`)
  return address
}

const WALLET_PLACE = '{address}'
