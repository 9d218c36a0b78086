import { toEventSelector } from 'viem'
import { expect, test } from 'vitest'
import { permissionTopics } from '../../transactions/permission.ts'
import { permissionEvents } from './known-events.ts'

test('the topics by which payments of plans are found are those of the events', () => {
  const topics = permissionEvents.map((event) => toEventSelector(event))
  expect(topics.toSorted()).toEqual(Object.values(permissionTopics).toSorted())
})
