import type { Page } from 'playwright-core'

/** The notification with this title. */
export const toast = (page: Page, title: string) =>
  page
    .getByRole('region', { name: /^Notifications/ })
    .getByRole('listitem')
    .filter({ has: page.getByText(title, { exact: true }) })

/** Clicks Undo in the notification and waits until it is done. */
export async function undoFromToast(page: Page, title: string): Promise<void> {
  await toast(page, title).getByRole('button', { name: 'Undo' }).click({ timeout: 30_000 })
  await toast(page, 'Undone').waitFor({ timeout: 30_000 })
}
