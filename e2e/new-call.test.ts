import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { edit, type ProductCopy, startCopy } from './product-copy.ts'

/** The files of the recipe "A call" in docs/architecture.md, for a call that API keys may make. */
const RECIPE_FILES = ['contract/views.ts', 'server/features/views/routes.ts', 'server/matrix-roles.ts']

const DEFINITION = `
export const touchView = route({
  name: 'touchView',
  summary: 'Note that a view was used',
  method: 'PUT',
  path: '/api/views/{view_id}/touched',
  access: 'viewer',
  audit: { action: 'view.touched', target: 'view_id' },
  params: ViewId,
  reply: ViewId,
  errors: ['invalid_input'],
  example: ({ view }) => ({ params: { view_id: view } }),
})
`

let product: ProductCopy
let token = ''

async function ask(method: string, url: string, body?: object): Promise<ReturnType<typeof JSON.parse>> {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(`${product.url}${url}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

beforeAll(async () => {
  product = await startCopy(async (folder) => {
    const [contract = '', handlers = '', roles = ''] = RECIPE_FILES.map((file) => path.join(folder, file))
    await edit(contract, (text) => text + DEFINITION)
    await edit(handlers, (text) =>
      text
        .replace('  listViews,\n', '$&  touchView,\n')
        .replace('    handle(createView,', '    handle(touchView, async ({ params }) => params),\n\n$&'),
    )
    await edit(roles, (text) => text.replace('export const OPEN_TO_VIEWERS = [', "$&'touchView',"))
  })
  token = (
    await ask('POST', '/api/auth/signup', { email: 'ann@example.com', password: 'long enough to pass', name: 'Ann' })
  ).token
})
afterAll(() => product?.[Symbol.asyncDispose]())

test('a call takes at most four files, and then it answers, is documented and is in the audit log', async () => {
  expect(RECIPE_FILES.length).toBeLessThanOrEqual(4)
  const { view_id } = await ask('POST', '/api/views', { name: 'All', query: '', shared: false })
  expect(await ask('PUT', `/api/views/${view_id}/touched`)).toEqual({ view_id })
  const { entries } = await ask('GET', '/api/admin/audit?action=view.touched')
  expect(entries).toMatchObject([{ target: view_id, actor: 'ann@example.com' }])
  const { paths } = await ask('GET', '/api/openapi.json')
  expect(paths['/api/views/{view_id}/touched'].put).toMatchObject({
    summary: 'Note that a view was used',
    operationId: 'touchView',
  })
})

test('the tests of every call have it, and those of its definition accept it', async () => {
  const files = ['server/matrix-roles.test.ts', 'server/example-calls.test.ts']
  const vitest = path.join(product.folder, 'node_modules/vitest/vitest.mjs')
  const run = promisify(execFile)(process.execPath, [vitest, 'run', '--root', product.folder, ...files], {
    cwd: product.folder,
  })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  expect(stdout).toMatch(/Tests .*3 passed/)
})
