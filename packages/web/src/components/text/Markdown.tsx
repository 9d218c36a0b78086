import { Suspense } from 'react'
import { lazyPart } from '../../data/connection/load-code.ts'

const MarkdownText = lazyPart(() => import('./MarkdownText.tsx'))

/** Words that somebody else wrote in Markdown. Its code comes with the first of them; until then the words stand as they are. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap wrap-anywhere">{text}</p>}>
      <MarkdownText text={text} />
    </Suspense>
  )
}
