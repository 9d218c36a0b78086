import type { JobFile } from '@agent-marketplace/contract'
import { Download, Eye, FileText } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '../../../components/buttons/Button.tsx'
import { TextSkeleton } from '../../../components/page/Skeleton.tsx'
import { Dialog } from '../../../components/popups/Dialog.tsx'
import { lazyPart } from '../../../data/connection/load-code.ts'
import { jobFileAddress } from '../../../data/files.ts'
import { fileSize } from '../../../format/file-kind.ts'

const FilePreview = lazyPart(() => import('./FilePreview.tsx'))

/** A file of a job under its name: to be looked at here, or saved. */
export function JobFileLine({ jobId, file }: { jobId: string; file: JobFile }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1 text-14">
      <FileText aria-hidden className="size-4 shrink-0 text-ink-muted" />
      <span className="min-w-0 wrap-anywhere">{file.name}</span>
      <span className="text-12 text-ink-faint">{fileSize(file.sizeBytes)}</span>
      {file.removed ? (
        <span className="ml-auto text-ink-muted">No longer kept</span>
      ) : (
        <span className="ml-auto flex items-center gap-1">
          <Button look="quiet" size="small" aria-label={`View ${file.name}`} onClick={() => setIsOpen(true)}>
            <Eye aria-hidden className="size-4" /> View
          </Button>
          <a
            href={jobFileAddress(jobId, file.id)}
            download={file.name}
            aria-label={`Download ${file.name}`}
            className="inline-flex min-h-9 items-center gap-2 rounded-box px-3 font-medium text-ink-muted hover:bg-sunken hover:text-ink"
          >
            <Download aria-hidden className="size-4" /> Download
          </a>
        </span>
      )}
      <Dialog
        title={file.name}
        description={<span className="font-mono text-12 wrap-anywhere">{file.cid}</span>}
        isOpen={isOpen}
        onOpenChange={setIsOpen}
      >
        <Suspense fallback={<TextSkeleton lines={6} />}>
          <FilePreview jobId={jobId} file={file} />
        </Suspense>
      </Dialog>
    </div>
  )
}
