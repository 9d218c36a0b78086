import { useMemo } from 'react'
import { MarkdownParts } from '../../../components/text/MarkdownText.tsx'
import { markdownTree } from '../../../components/text/markdown-tree.ts'
import { drawOurs } from './draw-ours.tsx'

/** A sentence or two of ours: code and links in it, without a paragraph around it. */
export function InlineMarkdown({ text }: { text: string }) {
  const tree = useMemo(() => markdownTree(text), [text])
  if (!tree) return text
  return (
    <MarkdownParts
      tree={tree}
      draw={(node, parts) => (node.type === 'paragraph' ? <span>{parts} </span> : drawOurs(node, parts))}
    />
  )
}
