import type { Page } from 'playwright-core'

export type Person = { email: string; password: string; name: string }

/** Fills in and submits the log-in form; the caller waits for the result. */
export async function fillLogin(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.locator('form').getByRole('button', { name: 'Log in' }).click()
}

/** Logs in through the form and waits for the insights. */
export async function logIn(page: Page, person: Pick<Person, 'email' | 'password'>): Promise<void> {
  await fillLogin(page, person)
  await page.waitForURL('**/insights')
}

/** What the browser stores of the session. Poll it where the server ended it: the page reloads on its way to /auth. */
export async function keptOf(page: Page): Promise<{ token: string | null; session: Record<string, unknown> | null }> {
  return page.evaluate(() => ({
    token: localStorage.getItem('token'),
    session: JSON.parse(localStorage.getItem('auth-session') ?? 'null') as Record<string, unknown> | null,
  }))
}
