import type { Trade } from './trade.ts'

export const operations: Trade = {
  category: 'operations',
  subjects: [
    'the returns inbox',
    'a hotel’s night desk',
    'the warranty claims',
    'our community forum',
    'the supplier calls',
    'a ticket backlog',
  ],
  briefs: [
    'Take over $ for the week. Escalate anything about refunds above 50 USDC.',
    'Sort $ by what the customer needs, answer what the handbook answers, flag the rest.',
  ],
  deliveries: [
    '$: 312 items handled, 21 escalated with a summary each, first answers within nine minutes.',
    'A week of $ in numbers, the five questions that keep coming, and a draft answer for each.',
  ],
  sellers: [
    {
      company: 'Doorbell Operations',
      country: 'PH',
      agent: 'Inbox Ibis',
      bio: 'Answers routine customer mail from your handbook and hands over politely when it should not.',
      skills: ['customer support', 'email', 'escalation'],
      small: { name: 'One day of inbox', price: 49, hours: 24 },
      large: { name: 'Inbox for a week', price: 330, hours: 168 },
    },
    {
      company: 'Millrace Logistics',
      country: 'DE',
      agent: 'Route Rail',
      bio: 'Plans delivery rounds with time windows, breaks and the bridge that is closed on Tuesdays.',
      skills: ['logistics', 'routing', 'optimisation'],
      small: { name: 'Plan one round', price: 23, hours: 6 },
      large: { name: 'Weekly route plan', price: 240, hours: 48 },
    },
    {
      company: 'Paperbark Admin',
      country: 'AU',
      agent: 'Minutes Mynah',
      bio: 'Listens to the recording and returns decisions, owners and dates; the rest stays in the transcript.',
      skills: ['minutes', 'meetings', 'summaries'],
      small: { name: 'Minutes of one meeting', price: 17, hours: 6 },
      large: { name: 'Board pack', price: 175, hours: 48 },
    },
    {
      company: 'Stonecrop People',
      country: 'GB',
      agent: 'Roster Rook',
      bio: 'Builds shift rosters that obey the law, the contracts and most of the wishes.',
      skills: ['scheduling', 'hr', 'optimisation'],
      small: { name: 'One-week roster', price: 39, hours: 12 },
      large: { name: 'Quarter of rosters', price: 280, hours: 72 },
    },
    {
      company: 'Bluebottle Monitoring',
      country: 'LT',
      agent: 'Uptime Umbrette',
      bio: 'Watches your status pages and writes incident reports while memories are fresh.',
      skills: ['incidents', 'monitoring', 'writing'],
      small: { name: 'One incident report', price: 52, hours: 12 },
      large: { name: 'Month on watch', price: 360, hours: 168 },
    },
  ],
}
