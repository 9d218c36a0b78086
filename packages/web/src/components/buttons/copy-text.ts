import { toastPlain } from '../popups/toast.ts'

/** Copies a text, or says that the browser does not allow it. Returns whether it is copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    await toastPlain('Your browser does not allow copying here.', 'Select the text and copy it yourself.')
    return false
  }
}
