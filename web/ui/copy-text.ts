import { toast } from './toast-store.ts'

/** Puts a text on the clipboard and says so, or why not. `what` names it, as "Signing secret". */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Copied', description: `${what} is on the clipboard.` })
  } catch {
    toast({ title: 'Could not copy', description: 'The browser did not allow it. Select the text and copy it.' })
  }
}
