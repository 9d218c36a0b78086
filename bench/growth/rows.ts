import { ownerIdIn, ownersOf } from '../agents-seed.ts'

/** Another chain’s: the devnet of the benchmark has blocks of its own. */
export const OTHER_CHAIN = 999

/** The parts of statements that make rows in proportion to `size` agents, for the numbers `n`. */
export const rowsFor = (size: number) => ({
  /** At least one. */
  numbers: (share: number) => `generate_series(1, ${Math.max(1, Math.round(size * share))}) n`,
  owner: ownerIdIn(`n % ${ownersOf(size)}`),
  agent: `'c' || lpad(n::text, 24, '0')`,
  job: `'cjob' || lpad(n::text, 21, '0')`,
  wallet: `'0xaa' || lpad(to_hex(n), 38, '0')`,
  hash: `'0x' || md5(n::text) || md5(n::text)`,
  cid: `'bafkrei' || md5(n::text)`,
  lately: `now() - n % 80000 * interval '1 second'`,
})
