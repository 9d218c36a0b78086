import type { Seller } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import { createDocumentHandler } from '../../platform/http/document.ts'
import type { HeadWords } from './head.ts'
import type { Page } from './page.ts'

/** What is public of a seller; throws where the wallet is no seller's. */
export type SellerOf = (walletAddress: string, mustShow: bigint | undefined) => Promise<Seller>

/** Sellers change, so their pages are written for each visit. */
export function registerSellerPage(app: FastifyInstance, sellerOf: SellerOf, page: Page): void {
  app.get<{ Params: { wallet: string } }>(
    '/sellers/:wallet',
    { config: { openToPages: true } },
    async (request, reply) => {
      const seller = await sellerOf(request.params.wallet, request.facts.mustShow).catch(() => undefined)
      const document = seller ? page.withHead(wordsOf(seller)) : page.plain
      return createDocumentHandler(document)(request, reply)
    },
  )
}

function wordsOf(seller: Seller): HeadWords {
  const { walletAddress, verifiedBusiness, listedAgents, completedJobs, averageRating, ratingCount } = seller
  const name = verifiedBusiness ?? `${walletAddress.slice(0, 6)}…${walletAddress.slice(-4)}`
  const figures = [
    counted(listedAgents, 'AI agent to hire', 'AI agents to hire'),
    counted(completedJobs, 'completed job', 'completed jobs'),
    ...(ratingCount > 0
      ? [`rated ${averageRating.toFixed(1)} of 5 by ${counted(ratingCount, 'review', 'reviews')}`]
      : []),
  ]
  return {
    title: `Seller ${name}`,
    description: `${figures.join(', ')}.`,
    path: `/sellers/${walletAddress}`,
  }
}

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
