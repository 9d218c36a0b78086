import { Type } from 'typebox'
import { defineEndpoint, rawResponse } from '../base/endpoint.ts'

export const getFeedbackDocument = defineEndpoint({
  id: 'getFeedbackDocument',
  method: 'GET',
  path: '/api/feedback/{hash}',
  tag: 'Agents',
  summary: 'Read a feedback file',
  description:
    'The ERC-8004 file behind a feedback, or behind a reply to one, that the on-chain reputation registry names. `hash` is the ' +
    'keccak256 of its bytes, as the registry has it; the bytes never change. It is not wrapped in `data`.',
  access: 'public',
  openToPages: true,
  rate: 'api',
  params: Type.Object({
    hash: Type.String({
      pattern: '^0x[0-9a-f]{64}$',
      description: 'The keccak256 of the file.',
      examples: ['0x5d2f8fb6b0a1f9f3b3c1a37f0f8a2a4cf3ad0c1d4b8a3c1d7e6f5a4b3c2d1e0f'],
    }),
  }),
  status: 200,
  response: rawResponse('application/json'),
  errors: ['NOT_FOUND'],
})
