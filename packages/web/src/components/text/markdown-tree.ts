import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import { gfmTable } from 'micromark-extension-gfm-table'

export type MarkdownTree = ReturnType<typeof fromMarkdown>
export type MarkdownNode = MarkdownTree | MarkdownTree['children'][number]

/** Quotes and lists in each other, which take long to read and look like nothing. */
const nestedTooDeep = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){12,}/m

/** More parts than this take the page long to draw. */
const MAX_PARTS = 10_000

/** The text as a tree; undefined for what is shown as it was written. It can take minutes: call it in a worker. */
export function markdownTree(text: string): MarkdownTree | undefined {
  if (nestedTooDeep.test(text)) return undefined
  const tree = fromMarkdown(text, {
    extensions: [gfmTable(), gfmStrikethrough({ singleTilde: false })],
    mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()],
  })
  return countParts(tree) > MAX_PARTS ? undefined : withoutPlaces(tree)
}

function countParts(node: MarkdownNode): number {
  let count = 0
  const left: MarkdownNode[] = [node]
  for (let next = left.pop(); next && count <= MAX_PARTS; next = left.pop()) {
    count += 1
    if ('children' in next) left.push(...next.children)
  }
  return count
}

/** Where each part stood in the text is most of the tree, and nobody asks. */
function withoutPlaces(tree: MarkdownTree): MarkdownTree {
  const left: MarkdownNode[] = [tree]
  for (let next = left.pop(); next; next = left.pop()) {
    delete next.position
    if ('children' in next) left.push(...next.children)
  }
  return tree
}
