import type { ReactNode } from 'react'
import { type MarkdownNode, markdownTree, safeUrl } from './markdown-tree.ts'

/** Deeper than this the rest is left out: nobody writes so. */
const MAX_DEPTH = 24

/** Markdown as elements of ours. There is no HTML in between: what the author wrote as HTML stays text. */
export default function MarkdownText({ text }: { text: string }) {
  const tree = markdownTree(text)
  if (!tree) return <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
  return <div className="flex min-w-0 flex-col gap-3 wrap-anywhere">{partsOf(tree, 0)}</div>
}

function partsOf(node: MarkdownNode, depth: number): ReactNode {
  if (!('children' in node) || depth > MAX_DEPTH) return null
  // biome-ignore lint/suspicious/noArrayIndexKey: the text is read anew when it changes, and nothing in it moves
  return node.children.map((child, index) => <Part key={index} node={child} depth={depth + 1} />)
}

function Part({ node, depth }: { node: MarkdownNode; depth: number }): ReactNode {
  const parts = partsOf(node, depth)
  switch (node.type) {
    case 'text':
    case 'html':
      return node.value
    case 'paragraph':
      return <p>{parts}</p>
    case 'heading':
      return <p className="font-semibold">{parts}</p>
    case 'emphasis':
      return <em>{parts}</em>
    case 'strong':
      return <strong>{parts}</strong>
    case 'inlineCode':
      return <code className="rounded-sm bg-sunken px-1 font-mono text-14">{node.value}</code>
    case 'code':
      return (
        <pre className="overflow-x-auto rounded-box bg-sunken p-3 font-mono text-14 whitespace-pre-wrap">
          {node.value}
        </pre>
      )
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr className="border-line" />
    case 'blockquote':
      return <blockquote className="border-l-2 border-line pl-4 text-ink-muted">{parts}</blockquote>
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1} className="list-decimal pl-6">
          {parts}
        </ol>
      ) : (
        <ul className="list-disc pl-6">{parts}</ul>
      )
    case 'listItem':
      return <li>{parts}</li>
    case 'link':
      return <StrangersLink url={node.url}>{parts}</StrangersLink>
    // Pictures would be fetched from where their author likes.
    case 'image':
      return <StrangersLink url={node.url}>{node.alt || node.url}</StrangersLink>
    default:
      return parts
  }
}

function StrangersLink({ url, children }: { url: string; children: ReactNode }) {
  const href = safeUrl(url)
  if (!href) return children
  return (
    <a
      href={href}
      target="_blank"
      rel="nofollow noopener noreferrer ugc"
      className="underline decoration-edge underline-offset-4 hover:decoration-ink"
    >
      {children}
    </a>
  )
}
