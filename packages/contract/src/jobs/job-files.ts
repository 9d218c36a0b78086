import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm, rawResponse } from '../base/endpoint.ts'
import { byBothSides, byWholeAccount } from '../base/key-rules.ts'
import {
  FILE_NAME_MAX_LENGTH,
  MAX_BYTES_OF_JOB,
  MAX_FILES_AT_ONCE,
  MAX_JOB_FILE_BYTES,
} from '../base/lengths.ts'
import { DateTime, Id, IdParams, oneOf, PathId } from '../base/shapes.ts'

/** What one owner may bring into jobs within 24 hours. */
export const JOB_FILE_BYTES_PER_DAY = 5 * MAX_BYTES_OF_JOB
/** Of one party in one job. */
export const MAX_FILES_OF_JOB = 200
/** A file that was sent with nothing by then is removed. */
export const UNSENT_FILE_HOURS = 24

export const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`

export const JobFile = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'As its sender named it, without a path.', examples: ['October.csv'] }),
    mediaType: Type.String({
      description: 'As its sender said. Downloads never claim it.',
      examples: ['text/csv'],
    }),
    sizeBytes: Type.Integer({ minimum: 0, examples: [2048] }),
    cid: Type.String({
      description: 'The content identifier (CID, version 1) of exactly these bytes.',
      examples: ['bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'],
    }),
    from: oneOf(['CLIENT', 'SELLER'], { description: 'Who brought it.', examples: ['SELLER'] }),
    removed: Type.Boolean({
      description: 'Whether its bytes are gone, because the time for which files are kept is over.',
      examples: [false],
    }),
    createdAt: DateTime,
  },
  { title: 'JobFile' },
)
export type JobFile = Static<typeof JobFile>

/** In a delivery and in a message. */
export const FileIds = Type.Array(PathId, {
  maxItems: MAX_FILES_AT_ONCE,
  uniqueItems: true,
  description: 'Files that the sender has brought into this job with PUT /api/jobs/{id}/uploads/{name}.',
})

export const JobFileName = Type.String({
  minLength: 1,
  maxLength: FILE_NAME_MAX_LENGTH,
  description: 'The file’s name. Of a path the last part is kept.',
  examples: ['October.csv'],
})

const NamedFileParams = Type.Object({ ...IdParams.properties, name: JobFileName })

const LIMITS =
  `The body is the file as it is, of any Content-Type, which is kept with it. A file has at most ${megabytes(MAX_JOB_FILE_BYTES)}, ` +
  `those of one party in a job, ${MAX_FILES_OF_JOB} at most, ${megabytes(MAX_BYTES_OF_JOB)}, and one owner uploads at most ${megabytes(JOB_FILE_BYTES_PER_DAY)} within 24 hours.`

const UPLOADING =
  `${LIMITS} A file of yours with the same name that was not sent yet is replaced, so repeating the call uploads nothing twice. ` +
  `The other party sees a file once it is sent with a delivery or a message; one that is not is removed after ${UNSENT_FILE_HOURS} hours.`

const jobFileResponse = oneForm(Type.Object({ data: JobFile }))

export const uploadJobFile = defineEndpoint({
  id: 'uploadJobFile',
  keys: byBothSides,
  method: 'PUT',
  path: '/api/jobs/{id}/uploads/{name}',
  tag: 'Files',
  summary: 'Upload a file to a job',
  description: `By a party of the job, whenever \`allowedActions\` contains MESSAGE. ${UPLOADING}`,
  access: 'owner',
  rate: 'api',
  params: NamedFileParams,
  streamsBody: true,
  status: 201,
  response: jobFileResponse,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
})

const FileParams = Type.Object({ ...IdParams.properties, fileId: PathId })

const range = Type.Object({
  range: Type.Optional(
    Type.String({
      description: 'One part of the bytes: 206, or 416 where the file has no such part.',
      examples: ['bytes=0-1023'],
    }),
  ),
})

const DOWNLOADING =
  'The bytes with their name in `Content-Disposition`, as a download and never as a page. `ETag` is the CID, and one `Range` is possible.'

export const downloadJobFile = defineEndpoint({
  id: 'downloadJobFile',
  method: 'GET',
  path: '/api/jobs/{id}/files/{fileId}',
  tag: 'Files',
  summary: 'Download a file of a job',
  description:
    `${DOWNLOADING} For the party that brought the file; once it is sent, for both parties and for an admin where there is a dispute. ` +
    'Everyone else gets NOT_FOUND.',
  access: 'owner',
  rate: 'api',
  params: FileParams,
  headers: range,
  status: 200,
  otherStatuses: [206],
  response: rawResponse('application/octet-stream'),
  errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
})

const byCallback = {
  tag: 'Jobs',
  access: 'public',
  takesOwnToken: true,
  rate: 'api',
} as const

const TOKEN =
  'With the token that came with the job as the Bearer token, until the job is delivered. The rest is as in'

export const uploadFileByCallback = defineEndpoint({
  ...byCallback,
  id: 'uploadFileByCallback',
  keys: byWholeAccount,
  method: 'PUT',
  path: '/api/jobs/{id}/callback/uploads/{name}',
  summary: 'Upload a file to a job as a connected agent',
  description: `${TOKEN} PUT /api/jobs/{id}/uploads/{name}.`,
  params: NamedFileParams,
  streamsBody: true,
  status: 201,
  response: jobFileResponse,
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
})

export const downloadFileByCallback = defineEndpoint({
  ...byCallback,
  id: 'downloadFileByCallback',
  method: 'GET',
  path: '/api/jobs/{id}/callback/files/{fileId}',
  summary: 'Download a file of a job as a connected agent',
  description: `${TOKEN} GET /api/jobs/{id}/files/{fileId}. The URLs in \`files\` of a job need no token: they have \`access\`.`,
  params: FileParams,
  query: Type.Object({
    access: Type.Optional(
      Type.String({ maxLength: 100, description: 'Part of the URLs in `files` of a job, for one file.' }),
    ),
  }),
  headers: range,
  status: 200,
  otherStatuses: [206],
  response: rawResponse('application/octet-stream'),
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
})
