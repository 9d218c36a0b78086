import { CallFailed } from './guarded-fetch.ts'
import { createGuardedRequest, explainFailure, type GuardedRequestOptions } from './guarded-request.ts'

/** A response whose bytes come as they are requested. */
export interface Download {
  status: number
  contentType: string | undefined
  /** As the response declares it. */
  sizeBytes: number | undefined
  bytes: AsyncIterable<Uint8Array>
}

/** Throws CallFailed where there is no response, or it breaks off while `take` reads it. */
export type GuardedDownload = <Taken>(
  url: string,
  signal: AbortSignal,
  take: (download: Download) => Promise<Taken>,
) => Promise<Taken>

/** A guarded request whose response is a file. How much of it is read is for `take` to limit. */
export function createGuardedDownload(options: GuardedRequestOptions): GuardedDownload {
  const request = createGuardedRequest(options)
  return async (url, signal, take) => {
    const failed = (error: unknown) =>
      new CallFailed(signal.aborted ? 'It took too long.' : explainFailure(error))
    const { response } = await request({ method: 'GET', url, headers: {} }, signal).catch(
      (error: unknown) => {
        throw failed(error)
      },
    )
    async function* bytes(): AsyncGenerator<Uint8Array, void> {
      try {
        for await (const chunk of response) yield chunk
      } catch (error) {
        throw failed(error)
      }
    }
    const { 'content-type': contentType, 'content-length': length } = response.headers
    const sizeBytes = length === undefined ? undefined : Number(length)
    try {
      return await take({ status: response.statusCode ?? 0, contentType, sizeBytes, bytes: bytes() })
    } finally {
      response.destroy()
    }
  }
}
