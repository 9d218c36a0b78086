import { MAX_FILE_BYTES } from '@agent-marketplace/contract/lengths'
import { FileText, LoaderCircle, Paperclip, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { plainError } from '../../data/connection/errors.ts'
import type { AttachedFile } from '../../data/files.ts'
import { fileSize } from '../../format/file-kind.ts'
import { Button } from '../buttons/Button.tsx'

interface FilePickerProps {
  label: string
  hint?: string
  files: readonly AttachedFile[]
  onChange: (files: AttachedFile[]) => void
  /** Stores one file: `(file) => attachFile(client, file)`. */
  upload: (file: File, onProgress: (share: number) => void) => Promise<AttachedFile>
  max?: number
  maxBytes?: number
  isRequired?: boolean
  /** Whether files are being stored: a form that is sent meanwhile would go without them. */
  onBusyChange?: (isBusy: boolean) => void
}

/** Files to send along. Each is stored as soon as it is chosen; what fails says why and leaves the others alone. */
export function FilePicker({
  label,
  hint,
  files,
  onChange,
  upload,
  max = 20,
  maxBytes = MAX_FILE_BYTES,
  isRequired = false,
  onBusyChange,
}: FilePickerProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [storing, setStoring] = useState<{ name: string; share?: number }>()
  const [problems, setProblems] = useState<string[]>([])

  const add = async (chosen: File[]) => {
    let stored = [...files]
    const refused: string[] = []
    onBusyChange?.(true)
    for (const file of chosen) {
      const reason = refusalOf(file, stored, { max, maxBytes })
      if (reason) {
        refused.push(`${file.name}: ${reason}`)
        continue
      }
      const { name } = file
      setStoring({ name })
      try {
        stored = [...stored, await upload(file, (share) => setStoring({ name, share }))]
        onChange(stored)
      } catch (error) {
        const { title } = plainError(error)
        refused.push(`${file.name}: ${title}`)
      }
    }
    setStoring(undefined)
    setProblems(refused)
    onBusyChange?.(false)
  }

  return (
    <fieldset tabIndex={-1} className="flex flex-col gap-2">
      <legend className="mb-1 text-14 font-medium">
        {label}
        {!isRequired && <span className="ml-1 font-normal text-ink-faint">optional</span>}
      </legend>
      <p id={`${id}-hint`} className="text-14 text-ink-muted">
        {hint ?? limitOf(max, maxBytes)}
      </p>
      {files.length > 0 && (
        <ul className="divide-y divide-line rounded-box border border-line">
          {files.map(({ uri, name, sizeBytes }) => (
            <li key={uri} className="flex items-center gap-3 pl-3 text-14">
              <FileText aria-hidden className="size-4 shrink-0 text-ink-muted" />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span className="text-12 text-ink-faint">{fileSize(sizeBytes)}</span>
              <button
                type="button"
                aria-label={`Remove ${name}`}
                onClick={() => onChange(files.filter((file) => file.uri !== uri))}
                className="grid size-11 place-items-center rounded-box text-ink-muted hover:bg-sunken hover:text-ink"
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input}
        id={id}
        type="file"
        multiple={max > 1}
        aria-label={label}
        aria-describedby={`${id}-hint`}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          add([...(target.files ?? [])])
          target.value = ''
        }}
      />
      {files.length < max && (
        <Button
          className="self-start"
          isDisabled={storing !== undefined}
          onClick={() => input.current?.click()}
        >
          {storing ? (
            <LoaderCircle aria-hidden className="size-4 animate-spin" />
          ) : (
            <Paperclip aria-hidden className="size-4" />
          )}
          {storing ? `Storing ${storing.name}…` : max === 1 ? 'Choose a file' : 'Choose files'}
        </Button>
      )}
      {storing?.share !== undefined && (
        <progress aria-label={`Storing ${storing.name}`} value={storing.share} className="h-2 w-full" />
      )}
      {problems.map((problem) => (
        <p key={problem} role="alert" className="text-14 text-danger">
          {problem}
        </p>
      ))}
    </fieldset>
  )
}

function limitOf(max: number, maxBytes: number): string {
  const size = fileSize(maxBytes)
  return max === 1 ? `One file of at most ${size}.` : `Up to ${max} files of ${size} each.`
}

function refusalOf(
  file: File,
  stored: readonly AttachedFile[],
  { max, maxBytes }: { max: number; maxBytes: number },
): string | undefined {
  if (stored.length >= max) return `There is room for ${max}.`
  if (file.size === 0) return 'It is empty.'
  return file.size > maxBytes ? `It is larger than ${fileSize(maxBytes)}.` : undefined
}
