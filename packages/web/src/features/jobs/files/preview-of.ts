import { fileKind } from '../../../format/file-kind.ts'

/** What a page reads into memory to show it. */
export const MAX_PREVIEW_BYTES = 5_000_000
const MAX_PREVIEW_CHARACTERS = 200_000

export type Preview =
  | { kind: 'image'; mime: string }
  | { kind: 'markdown' | 'table' | 'text'; text: string }
  | { kind: 'pdf' | 'none' }

/** How a file can be shown: what it is by its bytes, and how it is laid out by its name. What its sender calls it does not count. */
export function previewOf(name: string, bytes: Uint8Array): Preview {
  const file = fileKind(bytes)
  if (file.kind === 'image') return { kind: 'image', mime: file.mime }
  if (file.kind === 'binary') return { kind: file.extension === 'pdf' ? 'pdf' : 'none' }
  const text = file.text.slice(0, MAX_PREVIEW_CHARACTERS)
  const extension = /\.([^.]+)$/.exec(name.toLowerCase())?.[1]
  if (extension === 'md' || extension === 'markdown') return { kind: 'markdown', text }
  return { kind: extension === 'csv' ? 'table' : 'text', text }
}
