import { openAsBlob } from 'node:fs'
import { AppError } from '@agent-marketplace/contract'
import { AwsClient } from 'aws4fetch'
import { canonicalCid } from './cid.ts'
import { assertContent, assertSize, checkedStream, corrupted, defaultMaxBytes } from './content.ts'
import type { StoragePort } from './port.ts'
import { readAtMost, streamResponse } from './response-stream.ts'
import { openSpool, streamOf } from './spool.ts'

export interface S3Options {
  /** Of the service, for example https://s3.eu-central-1.amazonaws.com; the bucket is the first part of the path. */
  url: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Where files wait until they have come in whole. */
  spoolFolder: string
  timeoutMs?: number
  maxBytes?: number
}

/** Files in a bucket of any service that speaks S3, each named by its CID. An object appears whole or not at all. */
export async function openS3Storage(options: S3Options): Promise<StoragePort> {
  const { url, bucket, region, accessKeyId, secretAccessKey, spoolFolder } = options
  const { timeoutMs = 30_000, maxBytes = defaultMaxBytes } = options
  const signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const spool = await openSpool(spoolFolder, maxBytes)
  const base = `${url.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`

  /** The signature covers method, path and headers. The bytes are checked by their CID whenever they are read. */
  async function ask(
    method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
    cid: string,
    { file, range, signal = AbortSignal.timeout(timeoutMs) }: Call = {},
  ): Promise<Response> {
    const signed = await signer.sign(`${base}/${cid}`, { method, ...(range && { headers: { range } }) })
    return fetch(signed.url, {
      method,
      headers: signed.headers,
      body: file ?? null,
      // A redirect would carry the files to wherever it points.
      redirect: 'error',
      signal,
    })
  }

  /** A call whose response is over with its status; undefined where there is no such object. */
  async function call(...given: Parameters<typeof ask>): Promise<Response | undefined> {
    const [method] = given
    const response = await ask(...given).catch((error: unknown) => {
      throw unavailable(`${method} did not get through`, error)
    })
    if (response.ok) return response
    await response.body?.cancel().catch(() => undefined)
    if (response.status === 404) return undefined
    throw unavailable(`${method}: ${response.status}`)
  }

  const has = async (cid: string): Promise<boolean> => (await call('HEAD', cid)) !== undefined

  const putStream: StoragePort['putStream'] = (source, announce) =>
    spool.take(source, announce, async ({ path, ...stored }) => {
      const response = await call('PUT', stored.cid, { file: await openAsBlob(path) })
      if (!response) throw unavailable('there is no such bucket')
      await response.body?.cancel().catch(() => undefined)
      return stored
    })

  return {
    putStream,

    async put(bytes, announce) {
      assertSize(bytes, maxBytes)
      return putStream(streamOf(bytes), announce)
    },

    async get(text) {
      const cid = canonicalCid(text)
      const response = cid && (await call('GET', cid))
      if (!response) return undefined
      const bytes = await readAtMost(response, maxBytes).catch((error: unknown) => {
        throw unavailable('GET broke off', error)
      })
      if (bytes === 'too large') throw corrupted()
      await assertContent(cid, bytes)
      return { bytes }
    },

    async read(text, file) {
      const cid = canonicalCid(text)
      if (cid === undefined || !(await has(cid))) return undefined
      const range = file.part && `bytes=${file.part.start}-${file.part.end}`
      const source = streamResponse((signal) => ask('GET', cid, { range, signal }), {
        timeoutMs,
        failure: (problem, cause) => unavailable(`GET: ${problem}`, cause),
      })
      return checkedStream(cid, source, file)
    },

    async has(text) {
      const cid = canonicalCid(text)
      return cid !== undefined && (await has(cid))
    },

    async remove(text) {
      const cid = canonicalCid(text)
      if (cid !== undefined) await call('DELETE', cid)
    },
  }
}

interface Call {
  file?: Blob
  range?: string | undefined
  signal?: AbortSignal
}

/** What went wrong stays in `cause`, for the log; the credential is in none of it. */
function unavailable(problem: string, cause?: unknown): AppError<'UNAVAILABLE'> {
  return new AppError('UNAVAILABLE', {
    message: 'The file storage is not available. Nothing was changed; try again later.',
    cause: new Error(`S3: ${problem}`, { cause }),
  })
}
