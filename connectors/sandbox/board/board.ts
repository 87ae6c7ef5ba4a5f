import { readFileSync } from 'node:fs'
import type * as http from 'node:http'
import type { Column } from '../demo-provider.ts'
import { readBody } from '../request-body.ts'
import { serve } from '../server.ts'
import { boardHtml, columnsHtml } from './page.ts'

const asset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const CSP =
  "default-src 'none'; img-src data:; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'"

/** Starts a page that shows what trackers hold, where cards can be closed and reopened as people do there. For the demo and tests. */
export async function startBoard(
  columns: readonly Column[],
  { port = 0, host = '127.0.0.1' } = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const files: Record<string, { type: string; body: () => string }> = {
    '/': { type: 'text/html', body: () => boardHtml(columns) },
    '/columns': { type: 'text/html', body: () => columnsHtml(columns) },
    '/board.css': { type: 'text/css', body: () => asset('./board.css') },
    '/board.js': { type: 'text/javascript', body: () => asset('./board.js') },
  }
  const change = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const values = new URLSearchParams(await readBody(request))
    const board = columns.find(({ id }) => id === values.get('tracker'))?.board
    const card = board?.cards().find(({ id }) => id === values.get('card'))
    if (!board || !card) return answer(response, 404, 'There is no such card')
    if (values.get('to') === 'closed') board.close(card.id)
    else if (values.get('to') === 'open') board.reopen(card.id)
    else return answer(response, 400, 'A card is open or closed')
    response.writeHead(303, { location: '/' }).end()
  }
  const handle = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://board')
    const file = files[pathname]
    if (request.method === 'POST' && pathname === '/') return await change(request, response)
    if (request.method === 'GET' && file) return answer(response, 200, file.body(), file.type)
    answer(response, 404, 'Nothing here')
  }
  return await serve(handle, { host, port })
}

function answer(response: http.ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': CSP,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(body)
}
