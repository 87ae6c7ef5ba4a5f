import { expect, test } from 'vitest'
import { peopleSaying } from './feedback-file.ts'
import { picture, problemsInLooks, problemsOf } from './looks.ts'
import { toast } from './toast.ts'
import { call, page, reopen, stack, useWorkspace } from './workspace.ts'

/** Who the people are: most of the export’s are from two companies, the others from none that is known. */
const companies: Record<string, string> = {
  Ann: 'acme.com',
  Bob: 'acme.com',
  Cem: 'globex.example',
  Dee: 'gmail.com',
  Eve: 'acme.com',
}

const messages = peopleSaying.map(({ text, author }) => {
  const domain = companies[author]
  return [
    `"${text}"`,
    domain ? `${author.toLowerCase()}@${domain}` : author,
    author === 'Fay' ? 'Initech,Pro,"1,200",EMEA' : ',,,',
  ].join(',')
})

useWorkspace({ file: ['message,email,company,plan,mrr,region', ...messages].join('\n') })

const rows = async () =>
  (await page.locator('tbody tr').allInnerTexts()).map((text) => text.split(/\s*[\t\n]\s*/).filter(Boolean))
const LIST =
  'Company,Domain,Plan,MRR,CSM\nAcme Inc,acme.com,Enterprise,340000,Kim\nUmbrella,umbrella.example,Free,0,Lee\nNobody,gmail.com,,,\nOdd,odd.example,,lots,\n'

test('customers come from addresses and columns, and a list says more about them', async () => {
  await page.goto('/customers')
  await page.getByRole('status').filter({ hasText: '3 customers' }).waitFor()
  expect(await rows()).toEqual([
    ['acme.com', '3', '2', '–', '–', '–'],
    ['globex.example', '1', '1', '–', '–', '–'],
    ['Initech', '1', '1', '1.2K', 'Pro', 'EMEA'],
  ])
  await page.getByRole('button', { name: 'Upload a list' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload a list of customers' })
  await dialog
    .getByLabel('List of customers')
    .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(LIST) })
  await dialog.getByText('1 new, 1 existing, 2 lines skipped').waitFor()
  await dialog.getByText('Line 4: gmail.com is a public mail domain').waitFor()
  await dialog.getByText('Line 5: The revenue "lots" cannot be read').waitFor()
  expect(await problemsOf(page)).toEqual([])
  await picture(page, 'upload')
  await dialog.getByLabel('Plan').selectOption('CSM')
  await dialog.getByText('Acme Inc').filter({ hasText: 'Acme Inc' }).first().waitFor()
  await dialog.getByText('Kim').first().waitFor()
  await dialog.getByLabel('Plan').selectOption('Plan')
  await dialog.getByRole('button', { name: 'Upload 2 customers' }).click()
  await toast(page, 'List uploaded').waitFor()
  await page.getByLabel('Order').selectOption({ label: 'Highest revenue first' })
  await page.getByRole('row', { name: /^Acme Inc/ }).waitFor()
  await expect.poll(rows).toEqual([
    ['Acme Inc', 'acme.com', '3', '2', '340K', 'Enterprise', '–'],
    ['Initech', '1', '1', '1.2K', 'Pro', 'EMEA'],
    ['Umbrella', 'umbrella.example', '0', '0', '0', 'Free', '–'],
    ['globex.example', '1', '1', '–', '–', '–'],
  ])
  await page.getByLabel('Search customers').fill('acme')
  await page.getByRole('status').filter({ hasText: '1 customer' }).waitFor()
  await page.getByRole('link', { name: 'Customers', exact: true }).click()
  await page.getByRole('status').filter({ hasText: '4 customers' }).waitFor()
  await expect.poll(() => page.getByLabel('Search customers').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Acme Inc' }).click()
  const panel = page.getByRole('dialog', { name: 'Acme Inc' })
  await panel.getByText('I cannot log in since the update on Monday').waitFor()
  await expect.poll(() => panel.getByRole('list').last().getByRole('listitem').count()).toBe(3)
  await panel.getByText('Kim').waitFor()
  await panel.getByRole('link', { name: 'Show its insights' }).click()
  await page.getByRole('status').filter({ hasText: '2 of 3' }).waitFor()
  await page.getByRole('button', { name: 'Customer: Acme Inc' }).waitFor()
  await page.goto('/customers')
  await page.getByRole('button', { name: 'Acme Inc' }).click()
  await page.getByText('I cannot log in since the update on Monday').waitFor()
  expect(await problemsInLooks(page, 'customers')).toEqual([])
})

test('an insight shows its customers, the table sorts by them, and all feedback filters by one', async () => {
  const insights = (await call('GET', '/api/insights/get-all')) as {
    issue_number: number
    issue_name: string
    customer_count?: number
  }[]
  const largest = insights.find(({ customer_count }) => customer_count === 2)
  await page.goto('/insights')
  await page.getByRole('button', { name: 'List options' }).click()
  await page.getByRole('menuitem', { name: 'Highest revenue first' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-revenue')
  await page.goto(`/insights?issue=${largest?.issue_number}`)
  await page.getByRole('heading', { name: /^Customers 2, 34[\d.]+K revenue/ }).waitFor()
  expect(await problemsInLooks(page, 'insight-customers')).toEqual([])
  await page.getByRole('dialog').getByRole('link', { name: 'Acme Inc' }).waitFor()
  await page.goto('/ungrouped?in=all')
  await page.getByRole('button', { name: 'Customer: Any customer' }).click()
  const search = page.getByRole('combobox', { name: 'Customers' })
  await search.fill('acm')
  const found = page.getByRole('listbox', { name: 'Customers' }).getByRole('option')
  await found.filter({ hasText: 'Acme Inc' }).waitFor()
  await expect.poll(() => found.count()).toBe(1)
  expect(await problemsOf(page)).toEqual([])
  await search.press('ArrowDown')
  await search.press('Enter')
  await page.getByRole('button', { name: 'Customer: Acme Inc' }).waitFor()
  await expect.poll(() => page.getByRole('list', { name: 'All feedback' }).getByRole('listitem').count()).toBe(3)
})

test('the threshold may count customers', async () => {
  await page.goto('/settings')
  await page.getByLabel('Count', { exact: true }).selectOption({ label: 'Customers' })
  await page.getByText('once this many different customers have said it').waitFor()
  expect(await problemsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await toast(page, 'Settings saved').waitFor()
  const { settings } = (await call('GET', '/api/user/user-data')) as { settings: object }
  expect(settings).toMatchObject({ count_by: 'customers', count_people: false })
})

test('without customers the screen says where they come from', async () => {
  const other = await stack.signUp({ email: 'bo@example.com', password: 'long enough to pass', name: 'Bo' })
  await reopen({ token: other })
  await page.goto('/customers')
  await page.getByText('No customers are known yet').waitFor()
  expect(await problemsOf(page)).toEqual([])
})
