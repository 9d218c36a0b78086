/**
 * `npm run prove` sets `LONG_RUN=proof`: a test then repeats what it shows as often as its goal asks, and prints what it
 * counted, in a line that `scripts/prove` reads.
 */
const isProof = process.env.LONG_RUN === 'proof'

/** How often to repeat: a few times in `npm test`, and in a proof as often as the goal asks. */
export const timesFor = ({ usual, proof }: { usual: number; proof: number }): number =>
  isProof ? proof : usual

/** Only after everything was asserted: a line that is there says that the test got this far. */
export function printFigures(goal: string, figures: Record<string, number>): void {
  if (isProof) process.stdout.write(`\nproof ${goal} ${JSON.stringify(figures)}\n`)
}
