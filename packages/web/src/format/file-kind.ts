/** What a stored file is, by its first bytes: files are kept by their content, without a name or a type. */
export type FileKind =
  | { kind: 'text'; text: string; extension: string }
  | { kind: 'image'; mime: string; extension: string }
  | { kind: 'binary'; extension: string }

const signatures: readonly (readonly [prefix: number[], mime: string, extension: string])[] = [
  [[0x89, 0x50, 0x4e, 0x47], 'image/png', 'png'],
  [[0xff, 0xd8, 0xff], 'image/jpeg', 'jpg'],
  [[0x47, 0x49, 0x46, 0x38], 'image/gif', 'gif'],
  [[0x25, 0x50, 0x44, 0x46], 'application/pdf', 'pdf'],
  [[0x50, 0x4b, 0x03, 0x04], 'application/zip', 'zip'],
]

export function fileKind(bytes: Uint8Array): FileKind {
  const known = signatures.find(([prefix]) => prefix.every((byte, index) => bytes[index] === byte))
  if (known) {
    const [, mime, extension] = known
    return mime.startsWith('image/') ? { kind: 'image', mime, extension } : { kind: 'binary', extension }
  }
  const text = readText(bytes)
  return text === undefined ? { kind: 'binary', extension: 'bin' } : { kind: 'text', text, extension: 'txt' }
}

function readText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\u0000') ? undefined : text
  } catch {
    return undefined
  }
}

/** "640 B", "18.2 kB", "25 MB". A megabyte is what the limits for files count in: 1,048,576 bytes. */
export function fileSize(sizeBytes: number): string {
  if (sizeBytes < 1_000) return `${sizeBytes} B`
  return sizeBytes < 1_000_000 ? `${rounded(sizeBytes / 1_000)} kB` : `${rounded(sizeBytes / 1_048_576)} MB`
}

const rounded = (value: number): string => value.toFixed(1).replace(/\.0$/, '')
