import { toast } from '../toast-store.ts'

/** Copies a text to the clipboard and shows a toast, or why it failed. `what` names it, such as "Signing secret". */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Copied', description: `${what} is on the clipboard.` })
  } catch {
    toast({ title: 'Could not copy', description: 'The browser did not allow it. Select the text and copy it.' })
  }
}
