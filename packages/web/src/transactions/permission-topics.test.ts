import { spendPermissionManagerEvents } from '@agent-marketplace/chain/events'
import { toEventSelector } from 'viem'
import { expect, test } from 'vitest'
import { permissionTopics } from './permission.ts'

test('the topics by which payments of plans are found are those of the events', () => {
  const topics = spendPermissionManagerEvents.map((event) => toEventSelector(event))
  expect(topics.toSorted()).toEqual(Object.values(permissionTopics).toSorted())
})
