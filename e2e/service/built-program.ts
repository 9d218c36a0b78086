import { basename, dirname, extname, join } from 'node:path'
import { builtService } from '../../scripts/building/built-service.mjs'

/** The variable that says where a test run has built its programs. */
export const BUILT_DIRECTORY = 'PROGRAMS_UNDER_TEST'

/** What tests start as processes. */
export const programs = [
  'server/src/main.ts',
  'server/src/prepare.ts',
  'server/scripts/check-invariants.ts',
  'server/scripts/money-reread.ts',
  'cli/src/main.ts',
] as const
export type Program = (typeof programs)[number]

const packages = join(import.meta.dirname, '../../packages')

/** As its sources. */
export const sourceOf = (program: Program): string => join(packages, program)

let service: string | undefined

/** As the test run has built it. Outside of one, the service is built as `npm start` builds it; the rest are sources. */
export function builtProgram(program: Program): string {
  const directory = process.env[BUILT_DIRECTORY]
  if (directory) return join(directory, program.replace(/\.ts$/, '.mjs'))
  if (!program.startsWith('server/src/')) return sourceOf(program)
  service ??= builtService({
    nodePath: process.execPath,
    env: process.env,
    say: (line) => process.stderr.write(`${line}\n`),
  })
  return join(dirname(service), basename(program).replace(/\.ts$/, extname(service)))
}
