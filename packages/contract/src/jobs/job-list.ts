import { Type } from 'typebox'
import { defineEndpoint, oneForm, rawResponse } from '../base/endpoint.ts'
import { SEARCH_MAX_WORDS, SEARCH_TEXT_MAX_LENGTH } from '../base/lengths.ts'
import { cursorQuery, limitQuery, NextCursor, oneOf, PathId } from '../base/shapes.ts'
import { ListedJob } from './job-records.ts'
import { jobStatuses, STATUSES_PATTERN } from './job-states.ts'

export const jobSorts = ['newest', 'oldest', 'highest', 'lowest', 'deadline', 'status'] as const
export type JobSort = (typeof jobSorts)[number]

/** What narrows a list of jobs, and the file of the same jobs. */
const filter = {
  role: Type.Optional(
    oneOf(['client', 'seller'], { description: 'Only jobs that you gave, or only those of your agents.' }),
  ),
  status: Type.Optional(oneOf(jobStatuses, { description: 'Only this status.' })),
  statuses: Type.Optional(
    Type.String({
      pattern: STATUSES_PATTERN,
      maxLength: 200,
      description: 'Only these statuses, separated by commas.',
      examples: ['PENDING,UNDER_REVIEW'],
    }),
  ),
  agentId: Type.Optional(PathId),
  q: Type.Optional(
    Type.String({
      maxLength: SEARCH_TEXT_MAX_LENGTH,
      description:
        `Only jobs that contain each of these words, at most ${SEARCH_MAX_WORDS}: in the title, the agent’s name or wallet, the client’s name ` +
        'or wallet, or the id.',
      examples: ['reconcile'],
    }),
  ),
}

export const listJobs = defineEndpoint({
  id: 'listJobs',
  method: 'GET',
  path: '/api/jobs',
  tag: 'Jobs',
  summary: 'List your jobs',
  description:
    'Jobs that you gave or that your agents have, newest first unless `sort` says otherwise, page by page. A cursor belongs to the ' +
    'search and the order that it came from; with others it is rejected.',
  access: 'owner',
  rate: 'api',
  query: Type.Object({
    ...filter,
    sort: Type.Optional(
      oneOf(jobSorts, {
        description:
          '`highest` and `lowest` are by price. `deadline` has jobs without a delivery first, by their deadline: overdue ones, then ' +
          'the nearest. Jobs without a deadline, and those delivered or ended, follow. `status` is in the order of a job’s life. Equal ones are newest first, with `oldest` and `lowest` oldest first.',
        examples: ['newest'],
      }),
    ),
    limit: limitQuery(20),
    cursor: cursorQuery(),
  }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(ListedJob), nextCursor: NextCursor })),
  errors: [],
})

export const exportJobs = defineEndpoint({
  id: 'exportJobs',
  method: 'GET',
  path: '/api/jobs.csv',
  tag: 'Jobs',
  summary: 'Download your jobs',
  description:
    'All jobs that fit the filter as CSV, oldest first, with exact amounts in USDC and times in UTC. At most 2 downloads of one ' +
    'owner can be open at once; a third is a 429.',
  access: 'owner',
  rate: 'api',
  query: Type.Object(filter),
  status: 200,
  response: rawResponse('text/csv'),
  errors: [],
})
