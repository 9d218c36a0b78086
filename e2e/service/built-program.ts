import { join } from 'node:path'

/** The variable that says where a test run has built its programs. */
export const BUILT_DIRECTORY = 'PROGRAMS_UNDER_TEST'

/** What tests start as processes. */
export const programs = [
  'server/src/main.ts',
  'server/scripts/check-invariants.ts',
  'server/scripts/money-reread.ts',
  'cli/src/main.ts',
] as const
export type Program = (typeof programs)[number]

const packages = join(import.meta.dirname, '../../packages')

/** As its sources. */
export const sourceOf = (program: Program): string => join(packages, program)

/** As the test run has built it, where it has: a start takes half the time. */
export function builtProgram(program: Program): string {
  const directory = process.env[BUILT_DIRECTORY]
  return directory ? join(directory, program.replace(/\.ts$/, '.mjs')) : sourceOf(program)
}
