import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm, rawResponse } from '../base/endpoint.ts'
import { byBothSides } from '../base/key-rules.ts'
import { MAX_BODY_BYTES } from '../base/lengths.ts'
import { IpfsUri, oneOf } from '../base/shapes.ts'

export const fileEncodings = ['utf8', 'base64'] as const
export type FileEncoding = (typeof fileEncodings)[number]

/** What one owner may upload within 24 hours. */
export const UPLOAD_BYTES_PER_DAY = 20_000_000

const Cid = Type.String({
  description: 'The content identifier (CID, version 1) of exactly these bytes.',
  examples: ['bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'],
})

export const StoredFile = Type.Object(
  {
    cid: Cid,
    uri: Type.String({ ...IpfsUri, description: 'The same as an address, for attachments and evidence.' }),
    sizeBytes: Type.Integer({ minimum: 0, examples: [2048] }),
  },
  { title: 'StoredFile' },
)
export type StoredFile = Static<typeof StoredFile>

export const uploadFile = defineEndpoint({
  id: 'uploadFile',
  keys: byBothSides,
  method: 'POST',
  path: '/api/files',
  tag: 'Files',
  summary: 'Store a file',
  description:
    'Keeps the bytes and names them by their content: the same bytes always get the same CID. A request has at most 100 kB, ' +
    `base64 included, and an owner stores at most ${UPLOAD_BYTES_PER_DAY / 1_000_000} MB within 24 hours.`,
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  body: oneForm(
    Type.Object({
      content: Type.String({
        minLength: 1,
        maxLength: MAX_BODY_BYTES,
        description: 'Text, or bytes in base64.',
        examples: ['# September, reconciled'],
      }),
      encoding: Type.Optional(
        oneOf(fileEncodings, { default: 'utf8', description: 'How `content` is written.' }),
      ),
    }),
  ),
  status: 201,
  response: oneForm(Type.Object({ data: StoredFile })),
  errors: [],
  examples: { body: { content: '# September, reconciled', encoding: 'utf8' } },
})

export const downloadFile = defineEndpoint({
  id: 'downloadFile',
  method: 'GET',
  path: '/api/files/{cid}',
  tag: 'Files',
  summary: 'Download a file',
  description:
    'The bytes of a CID that this service has stored, as a download and never as a page. For the owner who stored them, and ' +
    'for the parties of a job (and an admin who rules on it) to which that owner gave them; for everybody else there is no ' +
    'such file.',
  access: 'owner',
  rate: 'api',
  params: Type.Object({ cid: Type.String({ ...Cid, pattern: '^[0-9A-Za-z]{1,128}$' }) }),
  status: 200,
  response: rawResponse('application/octet-stream'),
  errors: ['NOT_FOUND'],
})
