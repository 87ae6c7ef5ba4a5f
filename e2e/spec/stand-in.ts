import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { evalFiles, type Run, runsOf } from './evaluation-files.ts'
import { type Backend, sendJson } from './front.ts'

type Account = {
  email: string
  password: string
  name: string
  isAdmin: boolean
  isNew: boolean
  settings: unknown
  team: string | null
  webhook: string | null
  runs: Run[]
  filtered: Run[]
  chosen: Run[]
}

type Call = { account: Account; body: Record<string, unknown>; query: URLSearchParams }

type Answer = { status: number; body?: unknown }

const CALLS = /^\/(api|eval|comparison|auth\/v1)\//
const CALLBACK_SCREEN = '/api/auth/oauth-callback'
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
}

const ok = (body?: unknown): Answer => ({ status: 200, body })

/**
 * A server with the minimum that the spec allows: its nineteen calls, only its fields, everything in memory. Every
 * other call is a 404, every other path is the web app from `folder`. Each Ann is an administrator.
 */
export function standIn(folder: string): Backend {
  const accounts = new Map<string, Account>()
  const tokens = new Map<string, Account>()

  const enter = (account: Account): Answer => {
    const token = `bare-${tokens.size + 1}`
    tokens.set(token, account)
    const { isNew } = account
    account.isNew = false
    return ok({ token, is_new_user: isNew })
  }

  const open: Record<string, (body: Record<string, unknown>) => Answer> = {
    'POST /api/auth/login': ({ email, password }) => {
      const account = accounts.get(String(email))
      return account && account.password === password ? enter(account) : { status: 401, body: { detail: 'no' } }
    },
    'POST /api/auth/signup': ({ email, password, name }) => {
      if (accounts.has(String(email))) return { status: 409, body: { detail: 'taken' } }
      const account = newAccount(String(email), String(password), String(name))
      accounts.set(account.email, account)
      return enter(account)
    },
  }

  return async (request, response, body) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bare')
    if (!CALLS.test(pathname) || pathname === CALLBACK_SCREEN) return sendWeb(response, folder, pathname)
    const name = `${request.method} ${pathname}`
    const given = body.length > 0 ? (JSON.parse(body.toString()) as Record<string, unknown>) : {}
    const account = tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''))
    const answer = open[name]
      ? open[name](given)
      : calls[name] === undefined
        ? { status: 404 }
        : account === undefined
          ? { status: 401 }
          : calls[name]({ account, body: given, query: searchParams })
    sendJson(response, answer.status, answer.body)
  }
}

function newAccount(email: string, password: string, name: string): Account {
  const settings = { method: 'auto', min_inputs: 3, categories: [] }
  const nothing = { team: null, webhook: null, runs: [], filtered: [], chosen: [] }
  return { email, password, name, isAdmin: name === 'Ann', isNew: true, settings, ...nothing }
}

const calls: Record<string, (call: Call) => Answer> = {
  'GET /api/user/user-data': ({ account: { name, email, isAdmin, settings, team, webhook } }) =>
    ok({
      name,
      email,
      is_admin: isAdmin,
      settings,
      ...(team === null ? {} : { slack_data: { access_token: null, team: { name: team } } }),
      ...(webhook === null ? {} : { webhook_destination: { url: webhook }, destination_webhook: true }),
    }),
  'GET /api/insights/get-all': () => ok([]),
  'POST /api/webhook/test': ({ account }) => (account.webhook === null ? { status: 400 } : ok()),
  'POST /api/webhook/add': ({ account, body }) => {
    account.webhook = String(body['webhook'])
    return ok()
  },
  'POST /api/webhook/disconnect': ({ account }) => {
    account.webhook = null
    return ok()
  },
  'POST /api/slack/oauth': ({ account, body }) => {
    if (body['code'] !== 'good') return { status: 400 }
    account.team = 'Tallybrook'
    return ok()
  },
  'POST /api/slack/disconnect': ({ account }) => {
    account.team = null
    return ok()
  },
  'POST /api/user/update-settings': ({ account, body }) => {
    account.settings = body
    return ok({ message: 'Kept', data: body })
  },
  'GET /eval/list_evals': () => ok(Object.keys(evalFiles)),
  'GET /eval/get_eval': ({ query }) => {
    const session = evalFiles[query.get('filename') ?? '']
    return session === undefined ? { status: 404 } : ok(session)
  },
  'GET /comparison/get_dir_options': () => ok(Object.keys(runsOf)),
  'POST /comparison/set_dir': ({ account, body }) => {
    account.runs = runsOf[String(body['dir_name'])] ?? []
    return ok()
  },
  'GET /comparison/get_generator_options': ({ account }) => ok(optionsOf(account.runs)),
  'POST /comparison/set_generator_filter': ({ account, body }) => {
    const models = body['llm_model_names'] as string[]
    account.filtered = account.runs.filter(
      ({ generator }) => models.length === 0 || models.includes(generator.llm_model_name),
    )
    return ok()
  },
  'GET /comparison/get_input_options': ({ account }) =>
    ok({ source_ids: distinct(account.filtered.map(({ source_id }) => source_id)) }),
  'POST /comparison/set_input_filter': ({ account, body }) => {
    account.chosen = account.filtered.filter(({ source_id }) => source_id === body['input_filter'])
    return ok()
  },
  'GET /comparison/get_comparison_sessions': ({ account }) => ok(sessionsOf(account.chosen)),
}

const distinct = <T extends string | number>(values: T[]): T[] =>
  [...new Set(values)].toSorted((one, other) => (one < other ? -1 : 1))

function optionsOf(runs: Run[]) {
  const values = <Name extends keyof Run['generator']>(name: Name) => distinct(runs.map((run) => run.generator[name]))
  return {
    llm_model_names: values('llm_model_name'),
    llm_temperatures: values('llm_temperature'),
    llm_reasonings: values('llm_reasoning'),
    llm_verbosities: values('llm_verbosity'),
    methods: values('method'),
    system_prompts: values('system_prompt'),
    response_classes: values('response_class'),
  }
}

function sessionsOf(runs: Run[]) {
  const generators = distinct(runs.map(({ generator }) => generator.label))
  const comparisons = distinct(runs.map(({ datetime_from }) => datetime_from)).map((from) => {
    const together = runs.filter(({ datetime_from }) => datetime_from === from)
    return {
      datetime_from: from,
      datetime_to: together[0]?.datetime_to,
      responses: generators.map((label) =>
        together.filter(({ generator }) => generator.label === label).flatMap(({ responses }) => responses),
      ),
      formatted_user_input: together[0]?.formatted_user_input,
    }
  })
  return { generators, comparisons }
}

async function sendWeb(response: ServerResponse, folder: string, pathname: string): Promise<void> {
  const type = TYPES[path.extname(pathname)]
  const file = type === undefined ? 'index.html' : pathname.slice(1)
  const caching = pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  response.writeHead(200, { 'content-type': type ?? 'text/html; charset=utf-8', 'cache-control': caching })
  response.end(await readFile(path.join(folder, file)))
}
