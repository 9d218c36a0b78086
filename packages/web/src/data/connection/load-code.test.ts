import { expect, test } from 'vitest'
import { createLoadCode, MissingPart } from './load-code.ts'

/** A tab that is reloaded by loading its code anew; what it remembers stays. */
function openTab() {
  const remembered = new Map<string, string>()
  const broken = new Set<string>()
  let reloads = 0
  const tab = {
    release: 'one',
    broken,
    reloads: () => reloads,
    /** Each part has a file of its own, and two attempts. */
    chart: () => partOf('chart', () => import.meta.filename),
    toast: () => partOf('toast', () => import.meta.dirname),
  }
  const loadCode = createLoadCode({
    untilUp: async () => {},
    release: () => tab.release,
    marks: () => ({
      getItem: (key) => remembered.get(key) ?? null,
      setItem: (key, value) => void remembered.set(key, value),
      removeItem: (key) => void remembered.delete(key),
    }),
    reload: () => {
      reloads += 1
    },
  })
  const partOf = async (name: string, source: () => string) => {
    const load = Object.assign(
      async () => {
        if (broken.has(name)) throw new TypeError('Failed to fetch')
        return name
      },
      { toString: () => String(source) },
    )
    const loading = loadCode(load)
    const turn = new Promise((resolve) => setImmediate(resolve, 'the page is reloaded'))
    return Promise.race([loading, turn])
  }
  return tab
}

test('a part that fails to load reloads the page once, and is missing where that did not help', async () => {
  const tab = openTab()
  tab.broken.add('chart')
  expect(await tab.chart()).toBe('the page is reloaded')
  await expect(tab.chart()).rejects.toThrow(MissingPart)
  expect(tab.reloads()).toBe(1)
  tab.release = 'two'
  expect(await tab.chart()).toBe('the page is reloaded')
  expect(tab.reloads()).toBe(2)
})

test('a part whose reload helped reloads the page again when it fails again', async () => {
  const tab = openTab()
  tab.broken.add('chart')
  expect(await tab.chart()).toBe('the page is reloaded')
  tab.broken.clear()
  expect(await tab.chart()).toBe('chart')
  tab.broken.add('chart')
  expect(await tab.chart()).toBe('the page is reloaded')
  expect(tab.reloads()).toBe(2)
})

test('each part has its own reload, and that one of them loads gives no other a second one', async () => {
  const tab = openTab()
  tab.broken.add('chart').add('toast')
  expect(await tab.chart()).toBe('the page is reloaded')
  expect(await tab.toast()).toBe('the page is reloaded')
  tab.broken.delete('toast')
  expect(await tab.toast()).toBe('toast')
  await expect(tab.chart()).rejects.toThrow('A part of the page is missing.')
  expect(tab.reloads()).toBe(2)
})
