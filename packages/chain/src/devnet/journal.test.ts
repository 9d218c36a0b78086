import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type JournalEntry, openJournal } from './journal.ts'

const genesis: Hex = `0x${'aa'.repeat(32)}`

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'journal-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const path = () => join(dataDir, 'chain', 'journal')
const open = (startedAt = 1000) => openJournal({ dataDir, genesis, startedAt })

const entryAt = (time: number): JournalEntry => ({
  parent: `0x${'bb'.repeat(32)}`,
  time,
  transactions: ['0x02f8'],
})

const writeEntries = async (count: number): Promise<void> => {
  const journal = await open()
  for (let time = 1; time <= count; time += 1) await journal.append(entryAt(time))
  await journal.close()
}

test('keeps the first start and every entry, in order', async () => {
  await writeEntries(3)
  const journal = await open(9999)
  expect(journal.header).toEqual({ format: 1, genesis, startedAt: 1000 })
  expect(journal.entries).toEqual([entryAt(1), entryAt(2), entryAt(3)])
  expect(journal.repairedBytes).toBe(0)
  await journal.close()
})

test('what was synced once is there like everything else', async () => {
  const journal = await open()
  const made = await journal.syncOnce(async () => {
    for (let time = 1; time <= 3; time += 1) await journal.append(entryAt(time))
    return 'made'
  })
  expect(made).toBe('made')
  await journal.append(entryAt(4))
  await journal.close()
  const reopened = await open()
  expect(reopened.entries).toEqual([1, 2, 3, 4].map(entryAt))
  await reopened.close()
})

test('a last line torn at any byte is cut off, and writing goes on after it', async () => {
  await writeEntries(2)
  const whole = await readFile(path())
  const lastLineStart = whole.lastIndexOf(0x0a, whole.length - 2) + 1
  for (let length = lastLineStart; length < whole.length; length += 1) {
    await writeFile(path(), whole.subarray(0, length))
    const torn = await open()
    expect(torn.entries).toEqual([entryAt(1)])
    expect(torn.repairedBytes).toBe(length - lastLineStart)
    await torn.append(entryAt(7))
    await torn.close()
    const repaired = await open()
    expect(repaired.entries).toEqual([entryAt(1), entryAt(7)])
    await repaired.close()
  }
})

test('a tail of zeros, as a power cut may leave it, is cut off', async () => {
  await writeEntries(1)
  await writeFile(path(), Buffer.concat([await readFile(path()), Buffer.alloc(4096)]))
  const journal = await open()
  expect(journal.entries).toEqual([entryAt(1)])
  expect(journal.repairedBytes).toBe(4096)
  await journal.close()
})

test('a torn header is a chain that never began', async () => {
  await writeEntries(0)
  const whole = await readFile(path())
  await writeFile(path(), whole.subarray(0, 20))
  const journal = await open(2000)
  expect(journal.header.startedAt).toBe(2000)
  await journal.close()
})

test('damage before the last line is an error, not a silent loss', async () => {
  await writeEntries(3)
  const bytes = await readFile(path())
  const secondLineStart = bytes.indexOf(0x0a) + 1
  bytes[secondLineStart + 30] = (bytes[secondLineStart + 30] ?? 0) ^ 1
  await writeFile(path(), bytes)
  await expect(open()).rejects.toMatchObject({ code: 'JOURNAL_CORRUPT' })
})

test('of two processes on one directory, the second to write is stopped and spoils nothing', async () => {
  await writeEntries(1)
  const one = await open()
  const other = await open()
  await one.append(entryAt(2))
  await expect(other.append(entryAt(8))).rejects.toMatchObject({ code: 'JOURNAL_WRITE_FAILED' })
  await one.append(entryAt(3))
  await expect(other.append(entryAt(9))).rejects.toMatchObject({ code: 'JOURNAL_WRITE_FAILED' })
  await one.close()
  await other.close()
  const journal = await open()
  expect(journal.entries).toEqual([entryAt(1), entryAt(2), entryAt(3)])
  await journal.close()
})

test('another genesis is refused in one line that says what to do', async () => {
  await writeEntries(1)
  const other = openJournal({ dataDir, genesis: `0x${'cc'.repeat(32)}`, startedAt: 1 })
  await expect(other).rejects.toMatchObject({ code: 'JOURNAL_MISMATCH' })
  await expect(other).rejects.toThrow(
    /^the devnet journal \S+ began with genesis 0xaa\S+, this build has 0xcc\S+: .+ move the file away/,
  )
})
