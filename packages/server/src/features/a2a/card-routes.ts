import { createHash } from 'node:crypto'
import { getAgentCard } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { type AgentIdentity, agentCardOf, withOwnSkills } from './cards.ts'

/** Prices and skills may change at any time. */
const CARD_SECONDS = 60

export interface CardPages {
  db: Queryable
  identityOnCard: (wallet: string) => Promise<AgentIdentity & { walletAddress: string }>
}

export interface CardRoutesDeps {
  publicUrl: URL
  /** What everyone may read, from a replica where one is fresh enough. */
  pages: <T>(mustShow: bigint | undefined, read: (on: CardPages) => Promise<T>) => Promise<T>
  /** What the agent says of itself where its seller has it, by A2A. */
  ownSkillsOf: (db: Queryable, wallet: string) => Promise<AgentIdentity['skills']>
}

export const cardRoutes = ({ publicUrl, pages, ownSkillsOf }: CardRoutesDeps): Route[] => [
  route(getAgentCard, async ({ params, request, reply }) => {
    const card = await pages(request.facts.mustShow, async ({ db, identityOnCard }) => {
      const { walletAddress, ...identity } = await identityOnCard(params.wallet)
      const skills = withOwnSkills(identity.skills, await ownSkillsOf(db, walletAddress))
      return agentCardOf({ ...identity, skills }, walletAddress, publicUrl)
    })
    const etag = `"${createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 22)}"`
    reply.header('Cache-Control', `public, max-age=${CARD_SECONDS}`).header('ETag', etag)
    if (request.headers['if-none-match'] === etag) reply.code(304).send()
    return card
  }),
]
