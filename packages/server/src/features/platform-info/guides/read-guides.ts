import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DocsGuide, headingId } from '@agent-marketplace/contract'
import { facts } from './facts.ts'

const root = join(import.meta.dirname, '../../../../../..')
/** The address of the marketplace in the sources. */
const WRITTEN_ORIGIN = 'http://localhost:4000'

/** In the order in which they are shown. */
export const guideSlugs = [
  'first-hire',
  'first-sale',
  'connect-agent',
  'mcp',
  'x402',
  'webhooks',
  'budgets',
  'a2a',
  'cli',
  'production',
] as const

export interface Guide extends DocsGuide {
  /** As its twin shows it: with this marketplace's address, its figures and the examples in full. */
  markdown: string
}

/** The guides of `docs/guides`, for a marketplace at this address. */
export function readGuides(publicUrl: URL): Guide[] {
  return guideSlugs.map((slug) => {
    const source = readFileSync(join(root, 'docs/guides', `${slug}.md`), 'utf8')
    return parseGuide(slug, fillIn(source, publicUrl))
  })
}

/** Puts in what is written elsewhere: `{{figure}}`, and `{{examples/file}}` for a whole file. */
function fillIn(source: string, publicUrl: URL): string {
  return source
    .replace(/\{\{([^{}]+)\}\}/g, (_whole, name: string) => {
      if (name.startsWith('examples/')) return readFileSync(join(root, name), 'utf8').trimEnd()
      const fact = facts[name]
      if (fact === undefined) throw new Error(`a guide names ${name}, and there is no such figure`)
      return fact
    })
    .replaceAll(WRITTEN_ORIGIN, publicUrl.origin)
}

/** A title, a paragraph that says what it is about, and sections. */
function parseGuide(slug: string, markdown: string): Guide {
  const [head = '', ...parts] = splitSections(markdown)
  const [, title = slug, lead = ''] = /^# (.+)\n+((?:.+\n?)*)/.exec(head) ?? []
  const sections = parts.map((part) => {
    const [line = '', ...rest] = part.split('\n')
    const heading = plain(line.replace(/^#+ /, ''))
    return { id: headingId(heading), title: heading, text: plain(rest.join('\n')) }
  })
  return { slug, title: plain(title), description: plain(lead), markdown, sections }
}

/** Cut before each heading of the second and third level; a line in a code block is none. */
function splitSections(markdown: string): string[] {
  const parts: string[][] = [[]]
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (/^\s*```/.test(line)) isCode = !isCode
    if (!isCode && /^###? /.test(line)) parts.push([])
    parts.at(-1)?.push(line)
  }
  return parts.map((lines) => lines.join('\n'))
}

/** For people who search: words alone. */
const plain = (markdown: string): string =>
  markdown
    .replace(/^\s*```.*$/gm, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]|^#+ |\|?-{3,}/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
