import { expect, test } from 'vitest'
import { showError } from './toast.ts'

test('a failure is said in the browser’s own way where the code of toasts is missing', async () => {
  const said: string[] = []
  for (const error of [new Error('The balance is too low.'), 'nothing thrown as an error'])
    await showError(error, Promise.reject(new Error('A part of the page is missing.')), (text) =>
      said.push(text),
    )
  expect(said).toEqual(['The balance is too low.', 'nothing thrown as an error'])
})

test('a failure is a toast where their code loads', async () => {
  const shown: unknown[] = []
  const loading = Promise.resolve({ showError: (error: unknown) => void shown.push(error) })
  await showError('broken', loading, () => expect.unreachable())
  expect(shown).toEqual(['broken'])
})
