import { Type } from 'typebox'
import { AMOUNT_OR_ZERO_PATTERN, AMOUNT_PATTERN, REPORTED_AMOUNT_PATTERN } from '../money/money.ts'

/** Small shapes that many records are made of. Each has a description and an example, because the docs are made of them. */

const exampleTxHash = '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const txHashPattern = '^0x[a-fA-F0-9]{64}$'
const exampleAddress = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const addressPattern = '^0x[a-fA-F0-9]{40}$'

/** What an address fits that is not the zero address, behind which there is nobody. */
export const NONZERO_ADDRESS_PATTERN = '^0x0*[a-fA-F1-9]'

export const isZeroAddress = (address: string): boolean => /^0x0{40}$/.test(address)

export const Address = Type.String({
  pattern: addressPattern,
  allOf: [{ pattern: NONZERO_ADDRESS_PATTERN }],
  description: 'An address on the chain. Any letter case is accepted; responses are checksummed.',
  examples: [exampleAddress],
})

/** The address in a path. It only names what is read: nobody is at the zero address, so that is a 404 like any unknown one. */
export const AddressInPath = Type.String({
  pattern: addressPattern,
  description: 'An address on the chain, in any letter case.',
  examples: [exampleAddress],
})

export const TxHash = Type.String({
  pattern: txHashPattern,
  description: 'A transaction hash.',
  examples: [exampleTxHash],
})

export const HexBytes = Type.String({
  pattern: '^0x[a-fA-F0-9]*$',
  description: 'Bytes as 0x-prefixed hex.',
  examples: ['0x'],
})

/** Identifiers that the service makes. */
export const Id = Type.String({
  pattern: '^c[0-9a-z]{24}$',
  description: 'A record identifier (cuid), sortable by creation time.',
  examples: ['cmi0a1b2c3d4e5f6g7h8i9j0k'],
})

/** Identifiers that callers send: any cuid shape is taken, and an unknown one is simply not found. */
export const IdInput = Type.String({
  pattern: '^[cC][0-9a-z]{6,63}$',
  description: 'A record identifier (cuid).',
  examples: ['cmi0a1b2c3d4e5f6g7h8i9j0k'],
})

/** Identifiers in a path or a filter: any plain word is taken, so that a wrong one is a 404 and not a 400. */
export const PathId = Type.String({
  pattern: '^[0-9A-Za-z_-]{1,64}$',
  description: 'A record identifier (cuid).',
  examples: ['cmi0a1b2c3d4e5f6g7h8i9j0k'],
})

export const IdParams = Type.Object({ id: PathId })

export const DateTime = Type.String({
  format: 'date-time',
  description: 'ISO 8601 date and time in UTC.',
  examples: ['2026-11-15T09:30:00.000Z'],
})

/** A day, or a moment with or without a zone (UTC then), as filters take it. */
export const DateInput = Type.String({
  pattern:
    '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])' +
    '(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$',
  description: 'ISO 8601 date, or date and time. A date alone means its whole day in UTC.',
  examples: ['2026-11-01'],
})

export const IpfsUri = Type.String({
  pattern: '^ipfs://[A-Za-z0-9]{8,100}(/[^\\s]{0,200})?$',
  description: 'An IPFS URI.',
  examples: ['ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'],
})

/** A positive amount sent by a caller. */
export const Amount = Type.String({
  pattern: AMOUNT_PATTERN,
  description: 'USDC micro-units as a decimal string (1 USDC = 1000000), from 1 to 10^15.',
  examples: ['25000000'],
})

/** An amount sent by a caller that may be nothing. */
export const AmountOrZero = Type.String({
  pattern: AMOUNT_OR_ZERO_PATTERN,
  description: 'USDC micro-units as a decimal string (1 USDC = 1000000), from 0 to 10^15.',
  examples: ['25000000'],
})

/** An amount reported by the service. */
export const ReportedAmount = Type.String({
  pattern: REPORTED_AMOUNT_PATTERN,
  description: 'USDC micro-units as a decimal string (1 USDC = 1000000).',
  examples: ['25000000'],
})

/** Null beside a string or number is written as a type list: OpenAPI 3.1 reads it, and serialising it is cheap. */
export const nullableString = (options: Record<string, unknown> = {}) =>
  Type.Unsafe<string | null>({ ...options, type: ['string', 'null'] })
export const nullableInteger = (options: Record<string, unknown> = {}) =>
  Type.Unsafe<number | null>({ ...options, type: ['integer', 'null'] })
export const nullableAddress = (description: string) =>
  nullableString({ pattern: addressPattern, description, examples: [exampleAddress] })
export const nullableTxHash = (description: string) =>
  nullableString({ pattern: txHashPattern, description, examples: [exampleTxHash] })
export const nullableDateTime = (description: string) =>
  nullableString({ format: 'date-time', description, examples: ['2026-11-15T09:30:00.000Z'] })

export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  options: Record<string, unknown> = {},
) => Type.Unsafe<Values[number]>({ ...options, type: 'string', enum: [...values] })

/** Words that must say something: blanks alone are refused. */
/** Something that can be seen: neither space nor characters without width alone. */
export const NOT_BLANK_PATTERN =
  '[^\\s\\u00AD\\u061C\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u3164\\uFEFF]'

export const text = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK_PATTERN, ...options })

export const nullableOneOf = <const Values extends readonly string[]>(
  values: Values,
  options: Record<string, unknown> = {},
) => Type.Unsafe<Values[number] | null>({ ...options, type: ['string', 'null'], enum: [...values, null] })

export const limitQuery = (defaultLimit: number, maximum = 100) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum, default: defaultLimit, description: 'How many to return.' }),
  )
export const offsetQuery = () =>
  Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'How many to skip.' }),
  )
export const cursorQuery = () =>
  Type.Optional(
    text(500, { description: '`nextCursor` of the page before. Leave it out for the first page.' }),
  )

/** What every list with an offset says about itself. */
export const pageFields = {
  total: Type.Integer({ minimum: 0, description: 'All that fit the filter.', examples: [1] }),
  limit: Type.Integer({ minimum: 1, examples: [20] }),
  offset: Type.Integer({ minimum: 0, examples: [0] }),
}
export const NextCursor = nullableString({
  description: 'Send it as `cursor` for the next page; null on the last one.',
})

/** Freely keyed JSON of at most a hundred fields. It is stored and returned, never merged into anything. */
export const FreeObject = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 100 })
