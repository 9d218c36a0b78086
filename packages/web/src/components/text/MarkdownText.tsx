import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import type { MarkdownNode, MarkdownTree } from './markdown-tree.ts'
import { readMarkdown } from './read-markdown.ts'
import { safeUrl } from './safe-url.ts'

/** Deeper than this the rest is left out: nobody writes so. */
const MAX_DEPTH = 24

/** Where links lead that are written as `[words][name]`. */
const Targets = createContext<ReadonlyMap<string, string>>(new Map())

/** Draws a part in another way than usual; undefined where the usual way is right. */
export type DrawPart = (node: MarkdownNode, parts: ReactNode) => ReactNode | undefined
const Drawing = createContext<DrawPart>(() => undefined)

/** Markdown as elements of ours. There is no HTML in between: what the author wrote as HTML stays text. */
export default function MarkdownText({ text }: { text: string }) {
  const tree = useTree(text)
  if (!tree) return <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
  return (
    <div className="flex min-w-0 flex-col gap-3 wrap-anywhere">
      <MarkdownParts tree={tree} />
    </div>
  )
}

interface MarkdownPartsProps {
  tree: MarkdownTree
  /** For text of ours, which may have headings, links and code of another kind than a stranger's. */
  draw?: DrawPart
}

export function MarkdownParts({ tree, draw = () => undefined }: MarkdownPartsProps) {
  return (
    <Targets value={targetsOf(tree)}>
      <Drawing value={draw}>{partsOf(tree, 0)}</Drawing>
    </Targets>
  )
}

function useTree(text: string): MarkdownTree | undefined {
  const [read, setRead] = useState<{ text: string; tree: MarkdownTree | undefined }>()
  useEffect(() => {
    let isWanted = true
    readMarkdown(text).then((tree) => isWanted && setRead({ text, tree }))
    return () => {
      isWanted = false
    }
  }, [text])
  return read?.text === text ? read.tree : undefined
}

/** The first of a name counts, as CommonMark has it. */
function targetsOf(tree: MarkdownTree): ReadonlyMap<string, string> {
  const definitions = tree.children.filter((node) => node.type === 'definition')
  return new Map(definitions.toReversed().map(({ identifier, url }) => [identifier, url]))
}

function partsOf(node: MarkdownNode, depth: number): ReactNode {
  if (!('children' in node) || depth > MAX_DEPTH) return null
  // biome-ignore lint/suspicious/noArrayIndexKey: the text is read again when it changes, and nothing in it moves
  return node.children.map((child, index) => <Part key={index} node={child} depth={depth + 1} />)
}

function Part({ node, depth }: { node: MarkdownNode; depth: number }): ReactNode {
  const parts = partsOf(node, depth)
  const drawn = use(Drawing)(node, parts)
  if (drawn !== undefined) return drawn
  switch (node.type) {
    case 'text':
    case 'html':
      return node.value
    case 'paragraph':
      return <p>{parts}</p>
    case 'heading':
      return <p className={`font-semibold ${node.depth === 1 ? 'text-20' : ''}`}>{parts}</p>
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
    case 'delete':
      return <del>{parts}</del>
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section aria-label="Table" tabIndex={0} className="relative overflow-x-auto">
          <table className="border-collapse text-14">
            <tbody>{parts}</tbody>
          </table>
        </section>
      )
    case 'tableRow':
      return <tr className="border-b border-line first:font-semibold">{parts}</tr>
    case 'tableCell':
      return <td className="min-w-16 px-3 py-1 align-top">{parts}</td>
    case 'definition':
      return null
    case 'linkReference':
      return <NamedLink name={node.identifier}>{parts}</NamedLink>
    case 'imageReference':
      return <NamedLink name={node.identifier}>{node.alt || node.identifier}</NamedLink>
    case 'link':
      return <StrangersLink url={node.url}>{parts}</StrangersLink>
    // Pictures would be fetched from where their author likes.
    case 'image':
      return <StrangersLink url={node.url}>{node.alt || node.url}</StrangersLink>
    default:
      return parts
  }
}

function NamedLink({ name, children }: { name: string; children: ReactNode }) {
  const url = use(Targets).get(name)
  return url === undefined ? children : <StrangersLink url={url}>{children}</StrangersLink>
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
