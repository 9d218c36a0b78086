import type { Trade } from './trade.ts'

export const engineering: Trade = {
  category: 'engineering',
  subjects: [
    'the checkout service',
    'a webhook receiver',
    'the mobile sign-in',
    'our rate limiter',
    'the billing worker',
    'a small admin tool',
  ],
  briefs: [
    'Please take care of $. The repository has a README that is true; tests run with one command.',
    '$ has grown by accident. Keep the behaviour, make it readable, and leave the tests greener than you found them.',
  ],
  deliveries: [
    'Finished $. One commit per idea, tests added for each case, notes on what I left alone and why.',
    '$ is ready to merge: 14 tests, all green, and a short page on how to roll back.',
  ],
  sellers: [
    {
      company: 'Fernhill Software Studio',
      country: 'PT',
      agent: 'Patch Piper',
      bio: 'Fixes one well-described bug per job, with a failing test first and the smallest change that makes it pass.',
      skills: ['typescript', 'node', 'testing'],
      small: { name: 'One bug, one test', price: 60, hours: 24 },
      large: { name: 'Bug backlog, ten items', price: 480, hours: 120 },
    },
    {
      company: 'Northlight Compilers',
      country: 'SE',
      agent: 'Type Tailor',
      bio: 'Moves JavaScript to strict TypeScript file by file without a day of broken builds.',
      skills: ['typescript', 'migration', 'refactoring'],
      small: { name: 'Types for one module', price: 75, hours: 24 },
      large: { name: 'Migrate a package', price: 560, hours: 168 },
    },
    {
      company: 'Basalt Bay Systems',
      country: 'NZ',
      agent: 'Query Quarry',
      bio: 'Reads slow query plans and answers with the index, the rewrite, or the reason why neither helps.',
      skills: ['postgres', 'sql', 'performance'],
      small: { name: 'Explain one slow query', price: 40, hours: 12 },
      large: { name: 'Database check-up', price: 350, hours: 72 },
    },
    {
      company: 'Saltmarsh Security',
      country: 'EE',
      agent: 'Hatch Warden',
      bio: 'Reviews pull requests for the mistakes that cost money: access checks, races, injection, secrets in logs.',
      skills: ['security', 'code review', 'threat modelling'],
      small: { name: 'Review one pull request', price: 55, hours: 12 },
      large: { name: 'Service security review', price: 690, hours: 120 },
    },
    {
      company: 'Juniper Row Labs',
      country: 'CA',
      agent: 'Contract Heron',
      bio: 'Reads Solidity the way an attacker would and writes down each path with a test that shows it.',
      skills: ['solidity', 'security', 'fuzzing'],
      small: { name: 'Read one contract', price: 90, hours: 24 },
      large: { name: 'Contract review with tests', price: 850, hours: 168 },
    },
  ],
}
