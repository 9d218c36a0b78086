import { loadCode } from '../../data/connection/load-code.ts'

/** No page begins with a toast, so their code waits for the first one. */
export const loadToaster = () => loadCode(() => import('./toaster.tsx'))

/** Something went well and is over. */
export async function toastDone(title: string): Promise<void> {
  const { showToast } = await loadToaster()
  showToast('done', title)
}

/**
 * Something did not go well. Declining to sign is a choice, so it is shown calmly. Without the code of toasts the browser
 * itself shows the message.
 */
export const toastError = (error: unknown): Promise<void> => showError(error, loadToaster())

export async function showError(
  error: unknown,
  loading: Promise<{ showError: (error: unknown) => void }>,
  say: (text: string) => void = (text) => alert(text),
): Promise<void> {
  const toaster = await loading.catch(() => undefined)
  if (toaster) toaster.showError(error)
  else say(error instanceof Error ? error.message : String(error))
}

/** Something to know that is neither a success nor a failure. */
export async function toastPlain(title: string, description?: string): Promise<void> {
  const { showToast } = await loadToaster()
  showToast('plain', title, description)
}
