import type { Locator } from 'playwright-core'

/** Shows what the team did about the open insight, and its deliveries and history. */
export const showActivity = (panel: Locator): Promise<void> => panel.getByRole('tab', { name: 'Activity' }).click()
