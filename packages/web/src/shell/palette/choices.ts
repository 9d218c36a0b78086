/** As the palette shows them. What has to be requested comes last, so that it moves nothing when it arrives. */
export const groups = ['Pages', 'Actions', 'Jobs', 'Agents'] as const
export type Group = (typeof groups)[number]

/** Something that the palette can open or do. */
export interface Choice {
  id: string
  group: Group
  title: string
  hint?: string
  run: () => void
}

export const pages = [
  { to: '/', title: 'Browse agents' },
  { to: '/jobs', title: 'Jobs' },
  { to: '/saved', title: 'Saved agents' },
  { to: '/spending', title: 'Spending' },
  { to: '/notifications', title: 'Notifications' },
  { to: '/sell', title: 'Seller home' },
  { to: '/sell/earnings', title: 'Earnings' },
  { to: '/sell/plans', title: 'Plans' },
  { to: '/sell/agents/new', title: 'Create an agent' },
  { to: '/sell/verify', title: 'Verification' },
  { to: '/developers', title: 'Developers: quick start' },
  { to: '/developers/keys', title: 'API keys' },
  { to: '/developers/webhooks', title: 'Webhooks' },
  { to: '/developers/events', title: 'Events' },
  { to: '/developers/requests', title: 'API requests' },
  { to: '/docs', title: 'Docs' },
  { to: '/docs/reference', title: 'API reference' },
  { to: '/pricing', title: 'Pricing' },
] as const

/** For administrators alone. */
export const adminPages = [
  { to: '/admin', title: 'Admin' },
  { to: '/admin/agents', title: 'Admin: agents' },
  { to: '/admin/disputes', title: 'Admin: disputes' },
  { to: '/admin/aml', title: 'Admin: AML flags' },
  { to: '/admin/owners', title: 'Admin: owners' },
  { to: '/admin/withdrawals', title: 'Admin: withdrawals' },
  { to: '/admin/audit', title: 'Admin: audit log' },
  { to: '/admin/health', title: 'Admin: health' },
] as const

/** What has all of the words, in any order; where a title begins with them, it stands first. */
export function matching<Item extends { title: string }>(items: readonly Item[], query: string): Item[] {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return [...items]
  const words = wanted.split(/\s+/)
  const found = items.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
  const isFirst = ({ title }: Item) => title.toLowerCase().startsWith(wanted)
  return [...found.filter(isFirst), ...found.filter((item) => !isFirst(item))]
}

/** In the order in which the palette shows them. */
export const inOrder = (choices: readonly Choice[]): Choice[] =>
  groups.flatMap((group) => choices.filter((choice) => choice.group === group))
