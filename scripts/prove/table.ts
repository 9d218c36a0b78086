import type { Row, Verdict } from './goal.ts'

const verdicts: readonly Verdict[] = ['reached', 'reached in part', 'MISSED', 'not measured']
const headings = ['Goal', 'Number', 'Result', 'Figure', 'Seed', 'Commit', 'Day']

const cell = (text: string): string => text.replaceAll('|', '/').replaceAll(/\s+/g, ' ').trim()
const inOrder = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))

/** The whole page. */
export function writePage(rows: readonly Row[]): string {
  const ordered = inOrder(rows)
  const counts = verdicts.map(
    (verdict) => `${ordered.filter((row) => row.verdict === verdict).length} ${verdict}`,
  )
  const commands = ordered.flatMap(({ id, commands }) => commands.map((line) => `- ${id}: \`${line}\``))
  return `${[
    '# The goals, measured',
    '',
    'Written by `npm run prove`; do not edit it. `npm run prove -- G5 G7` measures some goals again and keeps the other rows, so each row names its own commit. A command that fails is never counted as reached, and what a command does not measure stands beside what it does.',
    '',
    `${counts.join(', ')}.`,
    '',
    `| ${headings.join(' | ')} |`,
    `|${'---|'.repeat(headings.length)}`,
    ...ordered.map(
      ({ id, name, number, verdict, figure, seed, commit, day }) =>
        `| ${[`${id} ${name}`, number, verdict, figure, seed, commit, day].map(cell).join(' | ')} |`,
    ),
    '',
    'Measured by these commands, with `LONG_RUN=proof` set for them:',
    '',
    ...commands,
    '',
    'Kept by hand: [testing against a lying node](proof/lies.md), [money at the edges](proof/money-edges.md).',
  ].join('\n')}\n`
}

/** What an earlier run measured, by goal: rows that this run does not measure are kept. */
export function readPage(
  page: string,
): Map<string, Pick<Row, 'verdict' | 'figure' | 'seed' | 'commit' | 'day'>> {
  const lines = page.split('\n').filter((line) => /^\| G\d+ /.test(line))
  return new Map(
    lines.flatMap((line) => {
      const [goal = '', , result = '', figure = '', seed = '', commit = '', day = ''] = line
        .slice(2, -2)
        .split(' | ')
      const verdict = verdicts.find((known) => known === result)
      const [id = ''] = goal.split(' ')
      return verdict ? [[id, { verdict, figure, seed, commit, day }] as const] : []
    }),
  )
}

/** The same for a terminal. */
export function writeTable(rows: readonly Row[]): string {
  return inOrder(rows)
    .map(
      ({ id, name, verdict, figure, seed, commit }) =>
        `${id.padEnd(4)}${verdict.padEnd(16)}${name}: ${figure} (seed ${seed}, commit ${commit})`,
    )
    .join('\n')
}
