import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'
import { fetchWithProgress } from './connection/fetch-with-progress.ts'

/** A file that is stored and waits to be sent along with something. */
export interface AttachedFile {
  /** Its address; of a file of a job, or for a hire, its id. */
  uri: string
  name: string
  sizeBytes: number
  /** Of a file for a hire: when it is removed unless the hire has taken it. */
  expiresAt?: string | undefined
}

/** The bytes of a CID never change. */
export const fileQuery = (client: MarketplaceClient, cid: string) =>
  queryOptions({
    queryKey: ['files', cid],
    queryFn: ({ signal }) => client.downloadFile(cid, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export async function attachFile(client: MarketplaceClient, file: File): Promise<AttachedFile> {
  const { uri, sizeBytes } = await client.uploadFile(new Uint8Array(await file.arrayBuffer()))
  return { uri, sizeBytes, name: file.name }
}

/** Brings a file into a job, under its own name. */
export async function bringFile(
  client: MarketplaceClient,
  jobId: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<AttachedFile> {
  const { id, name, sizeBytes } = await client.uploadJobFile(
    jobId,
    { name: file.name, content: file },
    { fetch: fetchWithProgress(onProgress) },
  )
  return { uri: id, name, sizeBytes }
}

/** Uploads a file for a hire, under its own name. */
export async function handInFile(
  client: MarketplaceClient,
  file: File,
  onProgress: (share: number) => void,
): Promise<AttachedFile> {
  const { id, name, sizeBytes, expiresAt } = await client.uploadHireFile(
    { name: file.name, content: file },
    { fetch: fetchWithProgress(onProgress) },
  )
  return { uri: id, name, sizeBytes, expiresAt }
}

/** The cookie of the session lets the browser save it, piece by piece and under its name. */
export const jobFileAddress = (jobId: string, fileId: string): string => `/api/jobs/${jobId}/files/${fileId}`

/** The bytes of a file never change. */
export const jobFileQuery = (client: MarketplaceClient, jobId: string, fileId: string) =>
  queryOptions({
    queryKey: ['files', jobId, fileId],
    queryFn: ({ signal }) => client.downloadJobFile(jobId, fileId, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

/** `ipfs://bafk…` and `bafk…` name the same file. */
export const cidOf = (uri: string): string => uri.replace(/^ipfs:\/\//, '')
