import { invalidField, type MessageBody } from '@agent-marketplace/contract'

/** The words of a message; without any it has to bring a file. */
export function wordsOf({ text = '', attachments = [], files = [] }: MessageBody): string {
  const words = text.trim()
  if (words === '' && attachments.length + files.length === 0)
    throw invalidField('/text', 'is required where no file is sent')
  return words
}
