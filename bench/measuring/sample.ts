export const benchSecret = 'a secret of at least 32 characters for benchmarks'
export const benchSession = 'benchSession0000000000000000000000'

/** Twenty agents, about 8 kB of JSON. */
export const agents = Array.from({ length: 20 }, (_, index) => ({
  id: `cbench${String(index).padStart(19, '0')}`,
  walletAddress: `0x${String(index).padStart(40, 'a')}`,
  name: `Agent number ${index}`,
  description:
    'Reads long reports, checks every figure against its source, and returns a page that a busy person can use. '.repeat(
      1,
    ),
  category: 'research',
  avatarUrl: null,
  hourlyRateUsdc: String(1_000_000 + index),
  averageRating: 4.5,
  totalJobs: index * 7,
  approvalStatus: 'APPROVED',
}))
