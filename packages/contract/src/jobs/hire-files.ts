import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byBuyers } from '../base/key-rules.ts'
import { MAX_BYTES_OF_JOB, MAX_FILES_AT_ONCE, MAX_JOB_FILE_BYTES } from '../base/lengths.ts'
import { DateTime, PathId } from '../base/shapes.ts'
import { JobFile, JobFileName, megabytes, UNSENT_FILE_HOURS } from './job-files.ts'

/** What one owner may have waiting at once: files for hires, and files of hires that are not paid. */
export const MAX_WAITING_BYTES = 2 * MAX_BYTES_OF_JOB
export const MAX_WAITING_FILES = 100

const { id, name, mediaType, sizeBytes, cid } = JobFile.properties

export const HireFile = Type.Object(
  {
    id,
    name,
    mediaType,
    sizeBytes,
    cid,
    expiresAt: Type.String({ ...DateTime, description: 'It is removed then, unless a hire has taken it.' }),
  },
  { title: 'HireFile' },
)
export type HireFile = Static<typeof HireFile>

/** In a quote and in a hire. */
export const HireFileIds = Type.Array(PathId, {
  maxItems: MAX_FILES_AT_ONCE,
  uniqueItems: true,
  description: `Files for the seller that you have uploaded with PUT /api/uploads/{name}, ${megabytes(MAX_BYTES_OF_JOB)} together. Each is for one job.`,
})

export const uploadHireFile = defineEndpoint({
  id: 'uploadHireFile',
  keys: byBuyers,
  method: 'PUT',
  path: '/api/uploads/{name}',
  tag: 'Files',
  summary: 'Upload a file for a hire',
  description:
    'Before the hire; then name its id in `files` of POST /api/jobs, and of POST /api/jobs/quote before it. The hire makes it a file ' +
    'of the job, for both parties. The body is the file as it is, of any Content-Type, which is kept with it. Each call makes a ' +
    `file of its own, which is removed after ${UNSENT_FILE_HOURS} hours unless a hire has taken it.\n\n` +
    `A file has at most ${megabytes(MAX_JOB_FILE_BYTES)}. At most ${MAX_WAITING_FILES} files of one owner wait for a hire, and they ` +
    `have at most ${megabytes(MAX_WAITING_BYTES)} together with those of hires that are not paid yet.`,
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  params: Type.Object({ name: JobFileName }),
  streamsBody: true,
  status: 201,
  response: oneForm(Type.Object({ data: HireFile })),
  errors: [],
})
