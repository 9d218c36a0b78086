// Keccak-f[1600] as WebAssembly, which has the 64-bit words that JavaScript lacks. The module is a page of arithmetic: it is
// written here as instructions, in the order of the specification, rather than kept as bytes that nobody can read.

const I32 = 0x7f
const I64 = 0x7e
const LANES = 25
const LANE_BYTES = 8
/** Of Keccak-256, in bytes: what one permutation takes in. */
export const RATE = 136

const ROUND_CONSTANTS = [
  0x0000000000000001n,
  0x0000000000008082n,
  0x800000000000808an,
  0x8000000080008000n,
  0x000000000000808bn,
  0x0000000080000001n,
  0x8000000080008081n,
  0x8000000000008009n,
  0x000000000000008an,
  0x0000000000000088n,
  0x0000000080008009n,
  0x000000008000000an,
  0x000000008000808bn,
  0x800000000000008bn,
  0x8000000000008089n,
  0x8000000000008003n,
  0x8000000000008002n,
  0x8000000000000080n,
  0x000000000000800an,
  0x800000008000000an,
  0x8000000080008081n,
  0x8000000000008080n,
  0x0000000080000001n,
  0x8000000080008008n,
]

/** By lane, x + 5y. */
const ROTATIONS = [
  0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
]

type Code = number[]

const unsigned = (value: number): Code =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
const signed = (value: number): Code =>
  value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
const get = (local: number): Code => [0x20, ...unsigned(local)]
const set = (local: number): Code => [0x21, ...unsigned(local)]
const constant32 = (value: number): Code => [0x41, ...signed(value)]
const load64 = (address: Code, offset: number): Code => [...address, 0x29, 0x00, ...unsigned(offset)]
const store64 = (offset: number, value: Code): Code => [0x41, 0x00, ...value, 0x37, 0x00, ...unsigned(offset)]
const xor = (first: Code, ...others: Code[]): Code => [
  ...first,
  ...others.flatMap((value) => [...value, 0x85]),
]
const rotate = (value: Code, by: number): Code => [...value, 0x42, ...signed(by), 0x89]
/** Not the first, and the second. */
const andNot = (first: Code, second: Code): Code => [...first, 0x42, 0x7f, 0x85, ...second, 0x83]
const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content]

// Parameters first, then what the code declares.
const [pointer, blocks, round] = [0, 1, 2]
const lane = (index: number): number => 3 + index
const moved = (index: number): number => 3 + LANES + index
const column = (x: number): number => 3 + 2 * LANES + (x % 5)
const effect = 3 + 2 * LANES + 5

const all = Array.from({ length: LANES }, (_, index) => index)
const five = [0, 1, 2, 3, 4]

const theta = (): Code => [
  ...five.flatMap((x) => [
    ...xor(...(five.map((y) => get(lane(x + 5 * y))) as [Code, ...Code[]])),
    ...set(column(x)),
  ]),
  ...five.flatMap((x) => [
    ...xor(get(column(x + 4)), rotate(get(column(x + 1)), 1)),
    ...set(effect),
    ...five.flatMap((y) => [...xor(get(lane(x + 5 * y)), get(effect)), ...set(lane(x + 5 * y))]),
  ]),
]

const rhoAndPi = (): Code =>
  all.flatMap((index) => {
    const [x, y] = [index % 5, Math.floor(index / 5)]
    return [...rotate(get(lane(index)), ROTATIONS[index] ?? 0), ...set(moved(y + 5 * ((2 * x + 3 * y) % 5)))]
  })

const chi = (): Code =>
  all.flatMap((index) => {
    const row = index - (index % 5)
    const next = (by: number): Code => get(moved(row + ((index + by) % 5)))
    return [...xor(get(moved(index)), andNot(next(1), next(2))), ...set(lane(index))]
  })

const iota = (): Code => [...xor(get(lane(0)), load64(get(round), 0)), ...set(lane(0))]

const body = (): Code => [
  ...[0x03, 0x40],
  ...Array.from({ length: RATE / LANE_BYTES }, (_, index) => [
    ...xor(get(lane(index)), load64(get(pointer), index * LANE_BYTES)),
    ...set(lane(index)),
  ]).flat(),
  ...[...constant32(0), ...set(round), 0x03, 0x40],
  ...[...theta(), ...rhoAndPi(), ...chi(), ...iota()],
  ...[...get(round), ...constant32(LANE_BYTES), 0x6a, 0x22, ...unsigned(round)],
  ...[...constant32(ROUND_CONSTANTS.length * LANE_BYTES), 0x48, 0x0d, 0x00, 0x0b],
  ...[...get(pointer), ...constant32(RATE), 0x6a, ...set(pointer)],
  ...[...get(blocks), ...constant32(1), 0x6b, 0x22, ...unsigned(blocks), 0x0d, 0x00, 0x0b],
  ...five.slice(0, 4).flatMap((index) => store64(OUTPUT + index * LANE_BYTES, get(lane(index)))),
  0x0b,
]

/** Behind the round constants, which stand at the beginning of the memory. */
export const OUTPUT = ROUND_CONSTANTS.length * LANE_BYTES
export const INPUT = 256

/** `hash(pointer, blocks)` hashes whole, padded blocks; the 32 bytes of the hash are then at `OUTPUT`. */
export const buildKeccakModule = (): Uint8Array<ArrayBuffer> => {
  const constants = Buffer.alloc(OUTPUT)
  for (const [index, value] of ROUND_CONSTANTS.entries())
    constants.writeBigUInt64LE(value, index * LANE_BYTES)
  const locals = [0x02, 0x01, I32, ...unsigned(2 * LANES + 6), I64]
  const code = [...locals, ...body()]
  const name = (text: string): Code => [text.length, ...Buffer.from(text)]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [0x01, 0x60, 0x02, I32, I32, 0x00]),
    ...section(3, [0x01, 0x00]),
    ...section(5, [0x01, 0x00, 0x01]),
    ...section(7, [0x02, ...name('memory'), 0x02, 0x00, ...name('hash'), 0x00, 0x00]),
    ...section(10, [0x01, ...unsigned(code.length), ...code]),
    ...section(11, [0x01, 0x00, 0x41, 0x00, 0x0b, ...unsigned(constants.length), ...constants]),
  ])
}
