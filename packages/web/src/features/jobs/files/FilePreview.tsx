import type { JobFile } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { TextSkeleton } from '../../../components/page/Skeleton.tsx'
import { Markdown } from '../../../components/text/Markdown.tsx'
import { lazyPart } from '../../../data/connection/load-code.ts'
import { jobFileQuery } from '../../../data/files.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { Box, Hint } from './PreviewBox.tsx'
import { parseCsv } from './parse-csv.ts'
import { MAX_PREVIEW_BYTES, previewOf } from './preview-of.ts'

const PdfPreview = lazyPart(() => import('./PdfPreview.tsx'))

/**
 * A file that somebody else wrote, next to the reader's wallet: pictures and the pages of a PDF as pictures, everything else
 * as text that the page itself lays out. Nothing of it is ever a page, and nothing in it is loaded.
 */
export default function FilePreview({ jobId, file }: { jobId: string; file: JobFile }) {
  if (file.sizeBytes > MAX_PREVIEW_BYTES) return <Hint>This file is too large to be shown here.</Hint>
  return <Content jobId={jobId} file={file} />
}

function Content({ jobId, file }: { jobId: string; file: JobFile }) {
  const { data: bytes, error, refetch } = useQuery(jobFileQuery(useClient(), jobId, file.id))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!bytes) return <TextSkeleton lines={6} />
  const preview = previewOf(file.name, bytes)
  switch (preview.kind) {
    case 'image':
      return <Picture bytes={bytes} mime={preview.mime} name={file.name} />
    case 'markdown':
      return (
        <Box>
          <Markdown text={preview.text} />
        </Box>
      )
    case 'table':
      return <Table text={preview.text} />
    case 'text':
      return (
        <Box>
          <pre className="font-mono text-14 whitespace-pre-wrap wrap-anywhere">{preview.text}</pre>
        </Box>
      )
    case 'pdf':
      return (
        <Suspense fallback={<TextSkeleton lines={6} />}>
          <PdfPreview bytes={bytes} />
        </Suspense>
      )
    case 'none':
      return <Hint>This kind of file cannot be shown here.</Hint>
  }
}

/** The page's policy allows pictures from data and not from blobs. */
function Picture({ bytes, mime, name }: { bytes: Uint8Array; mime: string; name: string }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const reader = new FileReader()
    reader.onload = () => setAddress(String(reader.result))
    reader.readAsDataURL(new Blob([bytes.slice()], { type: mime }))
    return () => reader.abort()
  }, [bytes, mime])
  if (!address) return <TextSkeleton lines={6} />
  return <img src={address} alt={name} className="max-w-full rounded-box" />
}

function Table({ text }: { text: string }) {
  const { rows, isCut } = parseCsv(text)
  const [head = [], ...body] = rows
  return (
    <Box>
      <table className="text-14">
        <thead>
          <tr>
            {head.map((cell, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its place alone
              <th key={place} className="border-b border-line px-2 py-1 text-left font-medium">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone
            <tr key={line}>
              {row.map((cell, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its place alone
                <td key={place} className="border-b border-line px-2 py-1">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isCut && <p className="mt-3 text-ink-muted">There is more in the file. Download it to see all.</p>}
    </Box>
  )
}
