import type { Locator, Page } from 'playwright-core'

/** The notification with this title. */
export const toast = (page: Page, title: string) =>
  page
    .getByRole('region', { name: /^Notifications/ })
    .getByRole('listitem')
    .filter({ has: page.getByText(title, { exact: true }) })

/** Waits for a notification and keeps it, which otherwise disappears after five seconds, as a pointer on it does. */
export const hold = (notification: Locator) => notification.dispatchEvent('pointermove', {}, { timeout: 60_000 })

/** Clicks Undo in the notification and waits until it is done. */
export async function undoFromToast(page: Page, title: string): Promise<void> {
  await hold(toast(page, title))
  await toast(page, title).getByRole('button', { name: 'Undo' }).click()
  await toast(page, 'Undone').waitFor()
}
