import { isMarketplaceError } from '@agent-marketplace/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Eye, FileText } from 'lucide-react'
import { useState } from 'react'
import { cidOf, fileQuery } from '../../data/files.ts'
import { fileKind } from '../../format/file-kind.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { Button } from '../buttons/Button.tsx'
import { CopyButton } from '../buttons/CopyButton.tsx'
import { ErrorState } from '../page/ErrorState.tsx'
import { TextSkeleton } from '../page/Skeleton.tsx'
import { Dialog } from '../popups/Dialog.tsx'
import { toastError } from '../popups/toast.ts'

/** A file by its CID or `ipfs://` address: to be looked at, saved, and checked by anybody who has the same bytes. */
export function StoredFile({ uri, label = 'File' }: { uri: string; label?: string }) {
  const cid = cidOf(uri)
  const client = useClient()
  const queries = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const save = async () => saveBytes(await queries.fetchQuery(fileQuery(client, cid)), cid)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1 text-14">
      <FileText aria-hidden className="size-4 shrink-0 text-ink-muted" />
      <span>{label}</span>
      <span className="flex min-w-0 items-center gap-1 font-mono text-12 text-ink-muted">
        <span title={cid}>{`${cid.slice(0, 8)}…${cid.slice(-6)}`}</span>
        <CopyButton text={cid} label="Copy CID" />
      </span>
      <span className="ml-auto flex gap-1">
        <Button look="quiet" size="small" aria-label={`View ${label}`} onClick={() => setIsOpen(true)}>
          <Eye aria-hidden className="size-4" /> View
        </Button>
        <Button
          look="quiet"
          size="small"
          aria-label={`Download ${label}`}
          onClick={() => save().catch(toastError)}
        >
          <Download aria-hidden className="size-4" /> Download
        </Button>
      </span>
      <Dialog
        title={label}
        description={<span className="font-mono text-12 wrap-anywhere">{cid}</span>}
        isOpen={isOpen}
        onOpenChange={setIsOpen}
      >
        <FileContent cid={cid} />
      </Dialog>
    </div>
  )
}

function FileContent({ cid }: { cid: string }) {
  const { data: bytes, error, refetch } = useQuery(fileQuery(useClient(), cid))
  if (isMarketplaceError(error, 'NOT_FOUND')) {
    return (
      <p className="text-ink-muted">This file is kept elsewhere. Any IPFS gateway finds it by its CID.</p>
    )
  }
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!bytes) return <TextSkeleton lines={6} />
  const file = fileKind(bytes)
  if (file.kind === 'text') {
    return (
      <section
        aria-label="Content"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-[60dvh] overflow-auto rounded-box bg-sunken p-4 font-mono text-14 whitespace-pre-wrap wrap-anywhere"
      >
        {file.text}
      </section>
    )
  }
  if (file.kind === 'image') {
    return <img src={dataUrl(bytes, file.mime)} alt="The file’s content" className="max-w-full rounded-box" />
  }
  return <p className="text-ink-muted">This kind of file cannot be shown here. Download it to open it.</p>
}

/** The page's policy allows pictures from data and not from blobs. */
function dataUrl(bytes: Uint8Array, mime: string): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return `data:${mime};base64,${btoa(binary)}`
}

function saveBytes(bytes: Uint8Array, cid: string): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)]))
  const link = document.createElement('a')
  link.href = url
  link.download = `${cid.slice(0, 16)}.${fileKind(bytes).extension}`
  link.click()
  URL.revokeObjectURL(url)
}
