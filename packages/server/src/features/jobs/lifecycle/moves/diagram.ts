import { type Transition, targetsOf, transitions } from './transitions.ts'

/** The table of transitions as the page about jobs shows it: a diagram, and the rows in words. */
export function renderTransitions(): string {
  return [...renderDiagram(), '', ...renderRows()].join('\n')
}

function renderDiagram(): string[] {
  const arrows = new Map<string, Set<string>>()
  for (const row of transitions) {
    for (const to of targetsOf(row)) {
      if (to === row.from) continue
      const arrow = `${row.from} --> ${to}`
      arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(row.action))
    }
  }
  return [
    '```mermaid',
    'stateDiagram-v2',
    '    [*] --> PENDING: create',
    ...[...arrows].map(([arrow, names]) => `    ${arrow}: ${[...names].join(', ')}`),
    '    COMPLETED --> [*]',
    '    CANCELLED --> [*]',
    '```',
  ]
}

function renderRows(): string[] {
  const cells = transitions.map((row) => [
    `\`${row.action}\``,
    row.from,
    endOf(row),
    row.by.join(', '),
    row.rail === 'ANY' ? 'both' : row.rail,
    row.when.join(', '),
    row.effect === null ? '' : `\`${row.effect}\``,
  ])
  const table = [
    ['action', 'from', 'to', 'by', 'rail', 'when', 'on the chain'],
    ['---', '---', '---', '---', '---', '---', '---'],
    ...cells,
  ]
  return table.map((row) => `| ${row.join(' | ')} |`)
}

const endOf = (row: Transition): string =>
  row.to === 'BY_SHARE' ? targetsOf(row).join(' or ') : row.to === row.from ? 'stays' : row.to
