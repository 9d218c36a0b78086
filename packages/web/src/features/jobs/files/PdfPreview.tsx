import { useEffect, useState } from 'react'
import { TextSkeleton } from '../../../components/page/Skeleton.tsx'
import { type DrawnPage, drawPdf } from './draw-pdf.ts'
import { Box, Hint } from './PreviewBox.tsx'

/** The first pages of a PDF as pictures, each with its words for readers who cannot see it. */
export default function PdfPreview({ bytes }: { bytes: Uint8Array }) {
  const [pages, setPages] = useState<readonly DrawnPage[]>([])
  const [state, setState] = useState<'drawing' | 'drawn' | 'failed'>('drawing')
  useEffect(() => {
    const visit = new AbortController()
    setPages([])
    setState('drawing')
    const onPage = (page: DrawnPage) => setPages((before) => [...before, page])
    drawPdf(bytes, { signal: visit.signal, onPage }).then(
      () => setState('drawn'),
      () => visit.signal.aborted || setState('failed'),
    )
    return () => visit.abort()
  }, [bytes])
  const [first] = pages
  if (!first && state === 'failed') return <Hint>This PDF cannot be shown here.</Hint>
  const isCut = first !== undefined && state !== 'drawing' && pages.length < first.total
  return (
    <Box>
      <div className="flex flex-col gap-4">
        {pages.map((page) => (
          <Sheet key={page.number} page={page} />
        ))}
        {state === 'drawing' && <TextSkeleton lines={6} />}
        {isCut && <Hint>{`These are the first ${pages.length} of ${first.total} pages.`}</Hint>}
      </div>
    </Box>
  )
}

function Sheet({ page: { number, total, picture, text } }: { page: DrawnPage }) {
  return (
    <figure>
      <canvas
        role="img"
        aria-label={`Page ${number} of ${total}`}
        width={picture.width}
        height={picture.height}
        className="w-full rounded-box"
        ref={(canvas) => canvas?.getContext('2d')?.drawImage(picture, 0, 0)}
      />
      <figcaption className="sr-only">{text.trim() || 'This page has no text.'}</figcaption>
    </figure>
  )
}
