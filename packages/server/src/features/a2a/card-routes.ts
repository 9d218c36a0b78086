import { createHash } from 'node:crypto'
import { getAgentCard } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import { type AgentIdentity, agentCardOf, withOwnSkills } from './cards.ts'

/** Prices and skills may change at any time. */
const CARD_SECONDS = 60

export interface CardRoutesDeps {
  publicUrl: URL
  identityOf: (wallet: string) => Promise<AgentIdentity & { walletAddress: string }>
  /** What the agent says of itself where its seller has it, by A2A. */
  ownSkillsOf: (wallet: string) => Promise<AgentIdentity['skills']>
}

export const cardRoutes = ({ publicUrl, identityOf, ownSkillsOf }: CardRoutesDeps): Route[] => [
  route(getAgentCard, async ({ params, request, reply }) => {
    const { walletAddress, ...identity } = await identityOf(params.wallet)
    const skills = withOwnSkills(identity.skills, await ownSkillsOf(walletAddress))
    const card = agentCardOf({ ...identity, skills }, walletAddress, publicUrl)
    const etag = `"${createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 22)}"`
    reply.header('Cache-Control', `public, max-age=${CARD_SECONDS}`).header('ETag', etag)
    if (request.headers['if-none-match'] === etag) reply.code(304).send()
    return card
  }),
]
