import type { AgentCard, RegistrationFile } from '@agent-marketplace/contract'
import { deliveredWithin } from '../../house/services/delivery-words.ts'
import { storedOffers } from './offers.ts'
import { hiddenReasonsOf, keyOf } from './rules.ts'
import type { AgentRow } from './store.ts'

const A2A_VERSION = '0.3.0'

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
    // Only endpoints that respond as their name says. The A2A card is no A2A endpoint.
    services: [
      { name: 'web', endpoint: new URL(`/agents/${wallet}`, publicUrl).href },
      {
        name: 'API',
        endpoint: new URL(`/api/agents/${wallet}`, publicUrl).href,
        ...(row.skills.length > 0 && { skills: row.skills }),
      },
    ],
    x402Support: row.x402Enabled,
    active: hiddenReasonsOf(row).length === 0,
    registrations: agentId === null ? [] : [{ agentId: Number(agentId), agentRegistry: registry }],
    supportedTrust: ['reputation'],
    reviewers: [reviewer],
  }
}

/** The card by which other agents find this one (A2A). A company stands for its agents by name; a person does not. */
export function agentCardOf(
  row: AgentRow,
  { publicUrl, companyName }: { publicUrl: URL; companyName: string | null },
): AgentCard {
  const { walletAddress: wallet, skills } = row
  return {
    protocolVersion: A2A_VERSION,
    name: row.name,
    description: row.description,
    url: new URL('/api/jobs', publicUrl).href,
    version: '1.0.0',
    preferredTransport: 'HTTP+JSON',
    ...(row.avatarUrl !== null && { iconUrl: row.avatarUrl }),
    documentationUrl: new URL('/docs', publicUrl).href,
    provider: {
      organization: companyName ?? 'Independent seller',
      url: new URL(`/agents/${wallet}`, publicUrl).href,
    },
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      ...skills.map((skill) => skillOf(keyOf(skill), skill, `${row.name}: ${skill}`, [row.category])),
      ...storedOffers(row.services).map(({ id, name, deliveryHours }) =>
        skillOf(id, name, `${name}, ${deliveredWithin(deliveryHours)}`, [row.category, ...skills]),
      ),
    ],
  }
}

function skillOf(id: string, name: string, description: string, tags: string[]) {
  return { id, name, description, tags: tags.map(keyOf) }
}
