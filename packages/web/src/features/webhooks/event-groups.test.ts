import { webhookEventTypes } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { eventGroups, eventsOf } from './event-groups.ts'

test('every event of the service but the test event stands in exactly one group', () => {
  const grouped = eventGroups.flatMap(({ events }) => events)
  expect([...grouped].sort()).toEqual(webhookEventTypes.filter((type) => type !== 'webhook.test').toSorted())
})

test('all groups are requested as everything, so that later events come too', () => {
  expect(eventsOf(eventGroups.map(({ label }) => label))).toEqual([])
  expect(eventsOf(['Reviews'])).toEqual(['review.received', 'review.replied'])
})
