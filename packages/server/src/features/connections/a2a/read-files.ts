import type { Artifact, Part } from '@a2a-js/sdk'
import type { AgentFile, DeliveredWork } from '../reply.ts'

/** What an agent delivered: the work, and the files that belong to it. */
export interface Result {
  work: DeliveredWork
  files: AgentFile[]
}

/** The parts that are files, in their order. One without a name has that of its URL, else that of its artifact. */
export const filesOf = (artifacts: readonly Pick<Artifact, 'name' | 'parts'>[]): AgentFile[] =>
  artifacts.flatMap(({ name, parts }) => parts.flatMap((part) => fileOf(part, name)))

function fileOf({ content, filename, mediaType }: Part, artifactName: string): AgentFile[] {
  if (content?.$case === 'raw')
    return [{ name: filename || artifactName, mediaType, from: { bytes: content.value } }]
  if (content?.$case === 'url') {
    const url = content.value
    return [{ name: filename || lastOfPath(url) || artifactName, mediaType, from: { url } }]
  }
  return []
}

function lastOfPath(url: string): string {
  if (!URL.canParse(url)) return ''
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
