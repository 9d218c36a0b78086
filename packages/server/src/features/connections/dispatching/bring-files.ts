import { AppError, invalidField, type JobFile } from '@agent-marketplace/contract'
import type { Download, GuardedDownload } from '../../../platform/outbound/guarded-download.ts'
import { CallFailed } from '../../../platform/outbound/guarded-fetch.ts'
import type { HostLanes } from '../../../platform/outbound/host-lanes.ts'
import { checkUrl } from '../../../platform/outbound/target-url.ts'
import { inSellersName, type SellersCaller } from '../in-sellers-name.ts'
import type { AgentFile } from '../reply.ts'
import { checkFileCount } from '../rules.ts'
import type { DispatchRow } from './dispatch-store.ts'
import { distinctNames } from './file-names.ts'

/** For all files of a result together. */
const TIMEOUT_MS = 60_000

/** Adds a file to a job, on behalf of one of its parties. */
export type BringFile = (
  caller: SellersCaller,
  file: {
    jobId: string
    name: string
    contentType: string | undefined
    declaredBytes?: number | undefined
    source: AsyncIterable<Uint8Array>
  },
) => Promise<JobFile>

export interface BringFilesDeps {
  /** What a file of this name is called in a job. */
  nameOf: (given: string) => string
  bringFile: BringFile
  download: GuardedDownload
  hostLanes: HostLanes
  allowsLocal: boolean
}

/** Stores an agent's files in the job and returns their ids. UNAVAILABLE where a retry may succeed. */
export type BringFiles = (
  dispatch: Pick<DispatchRow, 'jobId' | 'sellerId'>,
  files: readonly AgentFile[],
) => Promise<string[]>

export function createFileBringing(deps: BringFilesDeps): BringFiles {
  const { nameOf, bringFile, download, hostLanes, allowsLocal } = deps

  function checkFileUrl(url: string, name: string): string {
    try {
      return checkUrl(url, { allowsLocal })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const why = error.message.replace(/^\/?url /, '').replace(/\.$/, '')
      throw invalidField('/files', `could not be fetched: the URL of ${name} ${why}`)
    }
  }

  async function fetched<Taken>(
    { url, name, sellerId }: { url: string; name: string; sellerId: string },
    signal: AbortSignal,
    take: (file: Download) => Promise<Taken>,
  ): Promise<Taken> {
    const checked = checkFileUrl(url, name)
    const leave = hostLanes.enter(checked, sellerId)
    if (!leave) throw notNow(name, 'The host has too many calls at the moment.')
    try {
      return await download(checked, signal, (file) => {
        if (file.status === 200) return take(file)
        if (file.status >= 500 || file.status === 429) throw notNow(name, `Its URL returned ${file.status}.`)
        throw invalidField('/files', `could not be fetched: the URL of ${name} returned ${file.status}`)
      })
    } catch (error) {
      throw error instanceof CallFailed ? notNow(name, error.message) : error
    } finally {
      leave()
    }
  }

  return async ({ jobId, sellerId }, files) => {
    checkFileCount(files)
    const caller = inSellersName(sellerId)
    const names = distinctNames(files.map(({ name }) => nameOf(name)))
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const ids: string[] = []
    for (const [place, { from, mediaType }] of files.entries()) {
      const name = names[place] ?? ''
      const bring = (source: AsyncIterable<Uint8Array>, contentType: string | undefined, bytes?: number) =>
        bringFile(caller, { jobId, name, contentType, declaredBytes: bytes, source })
      const { id } =
        'bytes' in from
          ? await bring(streamOf(from.bytes), mediaType, from.bytes.length)
          : await fetched({ url: from.url, name, sellerId }, signal, ({ bytes, contentType, sizeBytes }) =>
              bring(bytes, mediaType || contentType, sizeBytes),
            )
      ids.push(id)
    }
    return ids
  }
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes
}

const notNow = (name: string, why: string) =>
  new AppError('UNAVAILABLE', { message: `The file ${name} could not be fetched: ${why}` })
