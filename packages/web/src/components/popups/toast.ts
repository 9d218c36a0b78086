import { loadCode } from '../../data/connection/load-code.ts'

/** No page begins with a toast, so their code waits for the first one. */
export const loadToaster = () => loadCode(() => import('./toaster.tsx'))

/** Something went well and is over. */
export async function toastDone(title: string): Promise<void> {
  const { showToast } = await loadToaster()
  showToast('done', title)
}

/** Something did not go well. Declining to sign is a choice, so it is shown calmly. */
export async function toastError(error: unknown): Promise<void> {
  const { showError } = await loadToaster()
  showError(error)
}

/** Something to know that is neither a success nor a failure. */
export async function toastPlain(title: string, description?: string): Promise<void> {
  const { showToast } = await loadToaster()
  showToast('plain', title, description)
}
