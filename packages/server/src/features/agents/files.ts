import { type AgentCard, formatUsdcReadable, type RegistrationFile } from '@agent-marketplace/contract'
import { deliveredWithin } from '../../house/services/delivery-words.ts'
import { isPayable } from '../../house/services/payable-service.ts'
import { offersOf } from './offers.ts'
import { hiddenReasonsOf, keyOf } from './rules.ts'
import type { AgentRow } from './store.ts'

const A2A_VERSION = '1.0'

interface Place {
  publicUrl: URL
  /** The identity registry, as `eip155:<chainId>:<address>`. */
  registry: string
  /** Who writes feedback for clients, as `eip155:<chainId>:<address>`. */
  reviewer: string
}

/** The file that the on-chain identity points to (ERC-8004). */
export function registrationFileOf(
  row: AgentRow,
  { publicUrl, registry, reviewer }: Place,
): RegistrationFile {
  const { walletAddress: wallet, onChainAgentId: agentId } = row
  return {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: row.name,
    description: row.description,
    image: row.avatarUrl ?? new URL(`/api/agents/${wallet}/image.svg`, publicUrl).href,
    // Only endpoints that serve what their name promises.
    services: [
      { name: 'web', endpoint: new URL(`/agents/${wallet}`, publicUrl).href },
      {
        name: 'API',
        endpoint: new URL(`/api/agents/${wallet}`, publicUrl).href,
        ...(row.skills.length > 0 && { skills: row.skills }),
      },
      {
        name: 'A2A',
        endpoint: new URL(`/api/agents/${wallet}/agent-card.json`, publicUrl).href,
        version: A2A_VERSION,
      },
    ],
    x402Support: row.x402Enabled,
    active: hiddenReasonsOf(row).length === 0,
    registrations: agentId === null ? [] : [{ agentId: Number(agentId), agentRegistry: registry }],
    supportedTrust: ['reputation'],
    reviewers: [reviewer],
  }
}

/**
 * An agent's identity on its A2A card. A company is named as the provider; a person is not. Its skills are those of its
 * profile, and the services that can be ordered by a message.
 */
export function cardIdentityOf(
  row: AgentRow,
  { publicUrl, companyName }: { publicUrl: URL; companyName: string | null },
): CardIdentity {
  const { walletAddress, skills } = row
  const payable = offersOf(row).filter((offer) => row.x402Enabled && isPayable(offer))
  return {
    walletAddress,
    name: row.name,
    description: row.description,
    version: '1.0.0',
    ...(row.avatarUrl !== null && { iconUrl: row.avatarUrl }),
    documentationUrl: new URL('/docs', publicUrl).href,
    provider: {
      organization: companyName ?? 'Independent seller',
      url: new URL(`/agents/${walletAddress}`, publicUrl).href,
    },
    skills: [
      ...skills.map((skill) => skillOf(keyOf(skill), skill, `${row.name}: ${skill}`, [row.category])),
      ...payable.map(({ id, name, priceMicro, deliveryHours }) => {
        const price = `${formatUsdcReadable(priceMicro)} USDC`
        return skillOf(id, name, `${name}: ${price}, ${deliveredWithin(deliveryHours)}`, [
          row.category,
          ...skills,
        ])
      }),
    ],
  }
}

type CardIdentity = Pick<
  AgentCard,
  'name' | 'description' | 'version' | 'iconUrl' | 'documentationUrl' | 'provider' | 'skills'
> & { walletAddress: string }

function skillOf(id: string, name: string, description: string, tags: string[]) {
  return { id, name, description, tags: tags.map(keyOf) }
}
