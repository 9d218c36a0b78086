import type { NewAgentService } from '@agent-marketplace/contract'
import { type Static, type TSchema, Type } from 'typebox'
import { cleanCsv } from './csv-cleaner.ts'
import { listLicences } from './licence-lister.ts'
import { makeContents } from './markdown-contents.ts'
import { type Delimiter, delimiters } from './parse-csv.ts'

/** An agent of the house: one service, done by a pure function within milliseconds. */
export interface HouseAgent {
  /** The last part of its URL, and the name of its seller's wallet. */
  slug: string
  name: string
  category: string
  bio: string
  skills: readonly string[]
  service: Static<typeof NewAgentService>
  inputSchema: TSchema
  /** Gets what its schema describes. */
  work: (input: unknown) => unknown
}

interface Offer<Schema extends TSchema>
  extends Pick<HouseAgent, 'slug' | 'name' | 'category' | 'bio' | 'skills'> {
  service: Pick<HouseAgent['service'], 'name' | 'priceUSDC' | 'description' | 'included'>
  inputSchema: Schema
  outputSchema: TSchema
  sample: { title: string; input: Static<Schema> }
  work: (input: Static<Schema>) => unknown
}

/** Its sample work is what it would deliver now. */
const houseAgent = <Schema extends TSchema>({ service, sample, ...offer }: Offer<Schema>): HouseAgent => ({
  ...offer,
  work: (input) => offer.work(input as Static<Schema>),
  service: {
    ...service,
    deliveryTime: 1,
    x402Enabled: true,
    inputSchema: plain(offer.inputSchema),
    outputSchema: plain(offer.outputSchema),
    examples: [{ ...sample, input: { ...(sample.input as object) }, output: offer.work(sample.input) }],
  },
})

const plain = (schema: TSchema): Record<string, unknown> => JSON.parse(JSON.stringify(schema))

const count = (title: string) => Type.Integer({ title, minimum: 0 })
const lines = (title: string) => Type.Array(Type.String(), { title })

const csvCleaner = houseAgent({
  slug: 'csv-cleaner',
  name: 'CSV Cleaner',
  category: 'data',
  bio: 'Cleans a CSV table within seconds: delimiters, quotes, spaces, empty rows, duplicates, column names. Part of this sandbox, for your first order.',
  skills: ['csv', 'data cleaning'],
  service: {
    name: 'Clean a CSV table',
    priceUSDC: '250000',
    description:
      'Your table with commas and plain line ends, trimmed cells, unique column names and rows of the same length. ' +
      'Empty and repeated rows are removed and counted; nothing else is changed.',
    included: ['Up to 60,000 characters', 'Commas, semicolons, tabs or bars', 'A list of what was wrong'],
  },
  inputSchema: Type.Object({
    csv: Type.String({
      title: 'Your table',
      description: 'With its header.',
      minLength: 1,
      maxLength: 60_000,
    }),
    delimiter: Type.Optional(
      Type.Unsafe<Delimiter>({
        title: 'Delimiter',
        description: 'Detected if you leave it out.',
        enum: [...delimiters],
      }),
    ),
    keepDuplicates: Type.Optional(Type.Boolean({ title: 'Keep repeated rows', default: false })),
  }),
  outputSchema: Type.Object({
    csv: Type.String({ title: 'The clean table' }),
    rows: count('Rows'),
    columns: count('Columns'),
    emptyRows: count('Empty rows removed'),
    duplicateRows: count('Repeated rows removed'),
    rowsLeftOut: count('Rows left out'),
    problems: lines('Problems'),
  }),
  sample: {
    title: 'A price list that several people edited',
    input: {
      csv: 'Item; Price ;Price\r\n  Tea;3.50;3.20\r\n;;\r\nTea;3.50;3.20\r\n"Coffee, ground";4.80\r\n',
    },
  },
  work: cleanCsv,
})

const contentsMaker = houseAgent({
  slug: 'markdown-contents',
  name: 'Contents Maker',
  category: 'writing',
  bio: 'Makes the table of contents of a Markdown page within seconds, with working links. Part of this sandbox, for your first order.',
  skills: ['markdown', 'documentation'],
  service: {
    name: 'Table of contents for a Markdown page',
    priceUSDC: '100000',
    description:
      'A nested list of links to the headings of your page, ready to paste. Headings in code, comments and front matter are left out.',
    included: ['Up to 60,000 characters', 'Anchors as GitHub writes them, also for repeated headings'],
  },
  inputSchema: Type.Object({
    markdown: Type.String({ title: 'Your page', minLength: 1, maxLength: 60_000 }),
    maxLevel: Type.Optional(Type.Integer({ title: 'Deepest level', minimum: 1, maximum: 6, default: 3 })),
  }),
  outputSchema: Type.Object({
    contents: Type.String({ title: 'Table of contents' }),
    headings: count('Headings listed'),
    headingsLeftOut: count('Headings left out'),
  }),
  sample: {
    title: 'A short handbook',
    input: {
      markdown: '# Handbook\n\n## Install\n\n```sh\n# not a heading\n```\n\n## Use\n\n### From a program\n',
    },
  },
  work: makeContents,
})

const licenceLister = houseAgent({
  slug: 'licence-lister',
  name: 'Licence Lister',
  category: 'engineering',
  bio: 'Lists the licences of everything that a package-lock.json installs, within seconds. Part of this sandbox, for your first order.',
  skills: ['licences', 'npm', 'compliance'],
  service: {
    name: 'Licences of your dependencies',
    priceUSDC: '500000',
    description:
      'Every package of a package-lock.json by its licence, those without one, and those whose licence you do not allow. ' +
      'It reads the file alone and downloads nothing.',
    included: ['Up to 80,000 characters', 'Up to 1,500 packages', 'Lockfiles of npm 7 and newer'],
  },
  inputSchema: Type.Object({
    lockfile: Type.String({
      title: 'package-lock.json',
      description: 'The text of the file.',
      minLength: 2,
      maxLength: 80_000,
    }),
    includeDev: Type.Optional(Type.Boolean({ title: 'With development dependencies', default: true })),
    denied: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        title: 'Licences that you do not allow',
        description: 'SPDX names, such as GPL-3.0-only.',
        maxItems: 50,
      }),
    ),
  }),
  outputSchema: Type.Object({
    packages: count('Packages'),
    licences: Type.Array(
      Type.Object({ licence: Type.String({ title: 'Licence' }), packages: lines('Packages') }),
      { title: 'Licences' },
    ),
    unknown: lines('Packages without a licence'),
    denied: lines('Packages that you do not allow'),
    packagesLeftOut: count('Packages left out'),
    problems: lines('Problems'),
  }),
  sample: {
    title: 'Three packages',
    input: {
      lockfile: JSON.stringify({
        lockfileVersion: 3,
        packages: {
          '': { name: 'my-app' },
          'node_modules/left-pad': { version: '1.3.0', license: 'WTFPL' },
          'node_modules/viem': { version: '2.38.0', license: 'MIT' },
          'node_modules/zod': { version: '4.1.12', license: 'MIT' },
        },
      }),
      denied: ['WTFPL'],
    },
  },
  work: listLicences,
})

/** Deterministic, without a model and without the network. */
export const houseAgents: readonly HouseAgent[] = [csvCleaner, contentsMaker, licenceLister]
