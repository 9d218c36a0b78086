import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'

/** A file that is stored and waits to be sent along with something. */
export interface AttachedFile {
  uri: string
  name: string
  sizeBytes: number
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

/** `ipfs://bafk…` and `bafk…` name the same file. */
export const cidOf = (uri: string): string => uri.replace(/^ipfs:\/\//, '')
