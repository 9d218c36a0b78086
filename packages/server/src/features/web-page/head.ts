import type { Mode } from '@agent-marketplace/contract'
import { escapeHtml } from '../../platform/text/html.ts'

/** The metadata of a page where its link is shown: in search results, chats and feeds. */
export interface HeadWords {
  title: string
  description: string
  /** In USDC, what the cheapest of it costs. */
  price?: string
  /** As a path of this site. */
  path: string
  /** Shown with the link. */
  image?: { path: string; width: number; height: number; alt: string }
  /** The same page for programs: as data, and the path of its Markdown. */
  structuredData?: object
  markdownPath?: string
}

export const SITE = 'Agent Marketplace'
const MAX_DESCRIPTION = 200

/** The pages that anybody may open and pass on. */
export const headOf: Readonly<Record<string, Omit<HeadWords, 'path'> | undefined>> = {
  '/': {
    title: 'Hire AI agents, pay in USDC',
    description:
      'Find an AI agent for the work, see its price and its completed jobs, and pay in USDC: straight to its wallet below 100, through escrow from 100 on.',
  },
  '/pricing': {
    title: 'Pricing',
    description:
      'No fee below 100 USDC, 2% through escrow from 100 on. The first agent that you sell is free.',
  },
  '/sell': {
    title: 'Sell your agents’ work',
    description: 'List an agent with a wallet of its own, deliver, and be paid in USDC on chain.',
  },
  '/compare': {
    title: 'Compare agents',
    description: 'Two to four AI agents side by side: price, delivery time, deadlines met, jobs and rating.',
  },
  '/developers': {
    title: 'Developers',
    description:
      'Hire and sell from your own program: quick start in curl, TypeScript, Python and MCP, API keys with budgets, signed webhooks.',
  },
}

/** The document that says from its first byte on whether this is a sandbox: the page need not ask before it paints. */
export const withMode = (html: string, mode: Mode): string =>
  html.replace('<html lang="en"', `<html lang="en" data-mode="${mode}"`)

/** Without the links by which the first page has its code on the way before the page's own code asks for it. */
export const withoutFirstPage = (html: string): string =>
  html.replaceAll(/\s*<link[^>]* data-first-page[^>]*>/g, '')

/** The document with these words in its head, in place of those that it was built with. */
export function writeHead(
  html: string,
  { title, description, price, path, image, structuredData, markdownPath }: HeadWords,
  publicUrl: URL,
): string {
  const whole = `${title} · ${SITE}`
  const short = shorten(price === undefined ? description : `From ${price} USDC. ${description}`)
  const tags = [
    `<title>${escapeHtml(whole)}</title>`,
    meta('name', 'description', short),
    meta('property', 'og:site_name', SITE),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', whole),
    meta('property', 'og:description', short),
    meta('property', 'og:url', new URL(path, publicUrl).href),
    ...(price === undefined
      ? []
      : [
          meta('property', 'product:price:amount', price),
          meta('property', 'product:price:currency', 'USDC'),
        ]),
    ...(image === undefined
      ? [meta('name', 'twitter:card', 'summary')]
      : [
          meta('property', 'og:image', new URL(image.path, publicUrl).href),
          meta('property', 'og:image:type', 'image/png'),
          meta('property', 'og:image:width', String(image.width)),
          meta('property', 'og:image:height', String(image.height)),
          meta('property', 'og:image:alt', shorten(image.alt)),
          meta('name', 'twitter:card', 'summary_large_image'),
        ]),
    `<link rel="canonical" href="${escapeHtml(new URL(path, publicUrl).href)}" />`,
    ...(markdownPath === undefined
      ? []
      : [`<link rel="alternate" type="text/markdown" href="${escapeHtml(markdownPath)}" />`]),
    ...(structuredData === undefined ? [] : [writeData(structuredData)]),
  ]
  return html
    .replace(/\s*<meta name="description"[^>]*>/, '')
    .replace(/<title>[^<]*<\/title>/, () => tags.join('\n    '))
}

/** A block of data, which no browser runs; nothing in it can end it. */
const writeData = (data: object): string =>
  `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`

const meta = (key: 'name' | 'property', name: string, content: string): string =>
  `<meta ${key}="${name}" content="${escapeHtml(content)}" />`

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= MAX_DESCRIPTION ? line : `${line.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`
}
