import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Server {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}

type S3rver = new (options: {
  port: number
  address: string
  directory: string
  silent: boolean
  configureBuckets: { name: string }[]
}) => Server

/** It brings no types along. */
const S3rver: S3rver = createRequire(import.meta.url)('@20minutes/s3rver')

/** A real S3 server, which checks signatures. */
export async function startS3() {
  const directory = await mkdtemp(join(tmpdir(), 's3-'))
  const bucket = 'deliveries'
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    directory,
    silent: true,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  return {
    settings: {
      url: `http://127.0.0.1:${port}`,
      bucket,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    overwrite: (key: string, bytes: Uint8Array) =>
      writeFile(join(directory, bucket, `${key}._S3rver_object`), bytes),
    async close(): Promise<void> {
      await server.close()
      await rm(directory, { recursive: true })
    },
  }
}
