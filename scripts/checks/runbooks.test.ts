import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { alertMessages } from '../../packages/server/src/house/alerts.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/runbooks.md'), 'utf8')

test('every alert has a runbook with something to do, and no runbook is left of an alert that is gone', () => {
  const sections = page.split(/^### /m).slice(1)
  const names = sections.map((section) => section.split('\n')[0])
  expect(names.toSorted()).toEqual(Object.keys(alertMessages).toSorted())
  expect(sections.filter((section) => section.trim().split('\n').length < 2)).toEqual([])
})
