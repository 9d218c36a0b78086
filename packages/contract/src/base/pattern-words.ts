import type { TSchema } from 'typebox'
import { jobStatuses, STATUSES_PATTERN } from '../jobs/job-states.ts'
import { AMOUNT_OR_ZERO_PATTERN, AMOUNT_PATTERN } from '../money/money.ts'
import {
  Address,
  DateInput,
  HexBytes,
  IdInput,
  IpfsUri,
  NONZERO_ADDRESS_PATTERN,
  NOT_BLANK_PATTERN,
  PathId,
  TxHash,
} from './shapes.ts'

const patternOf = (schema: TSchema): string => String((schema as { pattern?: string }).pattern)

const exampleAmount = 'a string of USDC micro-units without a point, such as "25000000" for 25 USDC'
const wholeNumber = 'must be a whole number as a decimal string'

/** What each request pattern means, for validation errors. A test keeps it complete. */
const words: Record<string, string> = {
  [NOT_BLANK_PATTERN]: 'must not be blank',
  [AMOUNT_PATTERN]: `must be ${exampleAmount}, from "1" to "1000000000000000"`,
  [AMOUNT_OR_ZERO_PATTERN]: `must be ${exampleAmount}, from "0" to "1000000000000000"`,
  [patternOf(Address)]: 'must be an address: 0x and 40 hex digits',
  [NONZERO_ADDRESS_PATTERN]: 'must not be the zero address',
  [patternOf(TxHash)]: 'must be 32 bytes: 0x and 64 hex digits',
  [patternOf(HexBytes)]: 'must be bytes: 0x and hex digits, or 0x alone',
  [patternOf(IdInput)]: 'must be an identifier that the service gave out, such as cmi0a1b2c3d4e5f6g7h8i9j0k',
  [patternOf(PathId)]: 'must be an identifier: 1 to 64 letters, digits, _ or -',
  [patternOf(IpfsUri)]: 'must be an IPFS address such as ipfs://bafkrei…',
  [patternOf(DateInput)]: 'must be a date such as 2026-11-01, or a time such as 2026-11-01T09:30:00Z',
  [STATUSES_PATTERN]: `must be statuses of jobs, separated by commas: ${jobStatuses.join(', ')}`,
  '^0x[0-9a-f]{64}$': 'must be a hash: 0x and 64 hex digits in lower case',
  '^0x[a-fA-F0-9]+$': 'must be bytes: 0x and hex digits',
  '^0x[a-fA-F0-9]{130}$': 'must be 65 bytes: 0x and 130 hex digits',
  '^(0|[1-9][0-9]{0,77})$': wholeNumber,
  '^(0|[1-9][0-9]{0,48})$': wholeNumber,
  '^[0-9]{1,78}$': wholeNumber,
  '^[^\\s@]+@[^\\s@]+$': 'must be an email address',
  '^https?://[^\\s]+$': 'must be an http or https address',
  '^(https|ipfs)://[^\\s]+$': 'must be an https or ipfs address',
  '^(ipfs://)?[A-Za-z0-9]{8,100}$': 'must be an IPFS CID, with or without ipfs://',
  '^ipfs://[A-Za-z0-9]{8,100}$': 'must be the address of a stored file, such as ipfs://bafkrei…',
  '^[0-9A-Za-z]{1,128}$': 'must be an IPFS CID',
  '^[!-~]+$': 'must be of letters, digits and signs, without spaces',
}

/** In plain words what a text must be, where it must fit this pattern. */
export function patternWords(pattern: string): string | undefined {
  return words[pattern]
}
