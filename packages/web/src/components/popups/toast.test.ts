import { expect, test } from 'vitest'
import { createToastError } from './toast.ts'

test('a failure is said in the browser’s own way where the code of toasts is missing', async () => {
  const said: string[] = []
  const toastError = createToastError({
    load: async () => {
      throw new Error('A part of the page is missing.')
    },
    say: (text) => void said.push(text),
  })
  await toastError(new Error('The balance is too low.'))
  await toastError('nothing thrown as an error')
  expect(said).toEqual(['The balance is too low.', 'nothing thrown as an error'])
})

test('a failure is a toast where their code loads', async () => {
  const shown: unknown[] = []
  const toastError = createToastError({
    load: async () => ({ showError: (error: unknown) => void shown.push(error) }),
    say: () => expect.unreachable(),
  })
  await toastError('broken')
  expect(shown).toEqual(['broken'])
})
