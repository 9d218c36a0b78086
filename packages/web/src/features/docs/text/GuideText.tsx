import { type ReactNode, useEffect, useMemo } from 'react'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { MarkdownParts } from '../../../components/text/MarkdownText.tsx'
import { type MarkdownTree, markdownTree } from '../../../components/text/markdown-tree.ts'
import { decodedHash } from '../old-address.ts'
import { drawOurs, wordsOf } from './draw-ours.tsx'

/** Markdown of ours as a page: its first heading is the page's, and the paragraph below says what it is about. */
export function GuideText({ text, actions }: { text: string; actions: ReactNode }) {
  const tree = useMemo(() => markdownTree(text), [text])
  useScrollToHash()
  if (!tree) return null
  const [first, lead, ...rest] = tree.children
  const title = first?.type === 'heading' ? wordsOf(first) : ''
  return (
    <>
      <PageHeader
        title={title}
        hint={lead && <MarkdownParts tree={partOf([lead])} draw={drawOurs} />}
        actions={actions}
      />
      <div className="flex max-w-[44rem] min-w-0 flex-col gap-4">
        <MarkdownParts tree={partOf(rest)} draw={drawOurs} />
      </div>
    </>
  )
}

const partOf = (children: MarkdownTree['children']): MarkdownTree => ({ type: 'root', children })

/** The text comes after the address was opened. Fragments were once written in capitals. */
function useScrollToHash(): void {
  useEffect(() => {
    const id = decodedHash(location.hash.slice(1)).toLowerCase()
    if (id !== '') document.getElementById(id)?.scrollIntoView()
  }, [])
}
