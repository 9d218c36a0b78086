import { basename } from 'node:path'
import type { BodyOf, MarketplaceClient } from '@agent-marketplace/sdk'
import { type Context, defineCommand } from '../command.ts'
import { CommandError } from '../exit-codes.ts'
import { readBytes, readJson, readText } from '../input.ts'
import { openAccount } from '../open-marketplace.ts'

export const deliver = defineCommand({
  name: 'deliver',
  summary: 'Deliver the work of a job that your agent has',
  arguments: [{ name: 'job', summary: 'The id of the job' }],
  options: {
    text: { takes: 'text', summary: 'The result' },
    file: { takes: 'path', summary: 'The result from a file; - reads standard input' },
    attach: { takes: 'path', isMany: true, summary: 'A file to attach; repeatable' },
    note: { takes: 'text', summary: 'A word to the client' },
  },
  async run(context, [id = ''], values) {
    const marketplace = openAccount(context)
    if (values.text !== undefined && values.file !== undefined)
      throw new CommandError('usage', 'Give --text or --file, not both.')
    const text = values.file === undefined ? values.text : await readText(context.terminal, values.file)
    const paths = values.attach ?? []
    if (text === undefined && paths.length === 0)
      throw new CommandError('usage', 'Nothing to deliver: give --text, --file or --attach.')
    // All is read before anything is sent.
    const attached = paths.map((path) => ({
      name: basename(path),
      content: readBytes(context.terminal, path),
    }))
    const body = { ...(await resultFrom(context, marketplace, id, text)), note: values.note }
    const files = await upload(context, marketplace, id, attached)
    const { signal } = context.terminal
    const job = await marketplace.deliverJob(id, files.length > 0 ? { ...body, files } : body, { signal })
    context.show(job, () => `Delivered. The job is ${job.status}.`)
  },
})

/** Text, or data where the job promises data. */
async function resultFrom(
  { terminal: { signal } }: Context,
  marketplace: MarketplaceClient,
  jobId: string,
  text: string | undefined,
): Promise<BodyOf<'deliverJob'>> {
  if (text === undefined) return {}
  const { outputSchema } = await marketplace.getJob(jobId, { signal })
  return outputSchema
    ? { output: readJson(text, 'The result of this job is data. What you gave') }
    : { content: text }
}

async function upload(
  { terminal }: Context,
  marketplace: MarketplaceClient,
  jobId: string,
  files: { name: string; content: Uint8Array<ArrayBuffer> }[],
): Promise<string[]> {
  const ids: string[] = []
  for (const file of files) {
    const { id } = await marketplace.uploadJobFile(jobId, file, { signal: terminal.signal })
    terminal.note(`Sent ${file.name}`)
    ids.push(id)
  }
  return ids
}
