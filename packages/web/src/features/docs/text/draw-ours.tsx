import { headingId } from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CodeBlock } from '../../../components/text/CodeBlock.tsx'
import type { DrawPart } from '../../../components/text/MarkdownText.tsx'
import type { MarkdownNode } from '../../../components/text/markdown-tree.ts'

/** Headings that can be linked to, code that can be copied, and links that stay in the page. */
export const drawOurs: DrawPart = (node, parts) => {
  switch (node.type) {
    case 'heading': {
      const id = headingId(wordsOf(node))
      const Heading = node.depth <= 2 ? 'h2' : 'h3'
      return (
        <Heading id={id} className={node.depth <= 2 ? 'mt-6 text-20 font-semibold' : 'mt-2 font-semibold'}>
          <a href={`#${id}`} className="hover:underline underline-offset-4">
            {parts}
          </a>
        </Heading>
      )
    }
    case 'code':
      return <CodeBlock code={node.value} language={node.lang ?? ''} info={node.meta ?? ''} />
    case 'link':
      return <OurLink url={node.url}>{parts}</OurLink>
    case 'list':
      return node.ordered ? (
        <ol className="flex list-decimal flex-col gap-2 pl-6">{parts}</ol>
      ) : (
        <ul className="flex list-disc flex-col gap-2 pl-6">{parts}</ul>
      )
    default:
      return undefined
  }
}

const look = 'underline decoration-edge underline-offset-4 hover:decoration-ink'

/** Guides name each other by file, and pages of this site by their whole address. */
function OurLink({ url, children }: { url: string; children: ReactNode }) {
  const guide = /^([a-z0-9-]+)\.md$/.exec(url)?.[1]
  if (guide)
    return (
      <Link to="/docs/$guide" params={{ guide }} className={look}>
        {children}
      </Link>
    )
  const operation = /\/docs\/reference\/(\w+)$/.exec(url)?.[1]
  if (operation)
    return (
      <Link to="/docs/reference/$operation" params={{ operation }} className={look}>
        {children}
      </Link>
    )
  if (url.endsWith('/docs/errors'))
    return (
      <Link to="/docs/$guide" params={{ guide: 'errors' }} className={look}>
        {children}
      </Link>
    )
  return (
    <a href={url} className={look} {...(url.startsWith('#') ? {} : { rel: 'noreferrer' })}>
      {children}
    </a>
  )
}

/** A part as plain text. */
export function wordsOf(node: MarkdownNode): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(wordsOf).join('') : ''
}
