import { setTimeout as pause } from 'node:timers/promises'
import { login, signup } from '@groundswell/contract/accounts.ts'
import { addConnection, getSigningSecret, listConnectors, updateConnection } from '@groundswell/contract/connections.ts'
import { getImport, startImport } from '@groundswell/contract/feedback.ts'
import { listInsights } from '@groundswell/contract/insights.ts'
import { MIN_INPUTS, type Tag, updateSettings } from '@groundswell/contract/settings.ts'
import { authorize, finishOAuth, getChoices, saveChoices } from '@groundswell/contract/sources.ts'

/** The account that the demo makes and prints. */
export type DemoAccount = { email: string; password: string; name: string }

const POLL_MS = 150

/** Uses the product as a browser would: over HTTP, with a token. */
export class DemoClient {
  #base: string
  #token: string

  /** `token`: of an account that exists already. */
  constructor(base: string, token = '') {
    this.#base = base
    this.#token = token
  }

  async signUp(account: DemoAccount): Promise<void> {
    const reply = signup.reply.parse(await this.#json('POST', signup.path, account))
    this.#token = reply.token
  }

  /** The fragment of the callback URL that signs a browser in, with its own session. */
  async browserSignIn({ email, password }: DemoAccount): Promise<string> {
    const reply = login.reply.parse(await this.#json('POST', login.path, { email, password }))
    const { token, refresh_token = '', expires_at = '' } = reply
    return String(new URLSearchParams({ access_token: token, refresh_token, expires_at: String(expires_at) }))
  }

  /** Saves the workspace's tags; the other settings are those of a new one. */
  async saveTags(categories: readonly Tag[]): Promise<void> {
    await this.#json('POST', updateSettings.path, { method: 'auto', min_inputs: MIN_INPUTS.default, categories })
  }

  /** Connects by the form of a tile. */
  async connect(tile: string, form: Record<string, string>): Promise<void> {
    await this.#json('POST', pathOf(addConnection, tile), form)
  }

  /** The secret that signs what a destination receives. */
  async signingSecret(tile: string): Promise<string> {
    return getSigningSecret.reply.parse(await this.#json('GET', pathOf(getSigningSecret, tile))).secret
  }

  /** Connects a source on its provider's consent page, where `allow` is pressed. */
  async signInAt(tile: string): Promise<void> {
    const { url } = authorize.reply.parse(await this.#json('POST', pathOf(authorize, tile)))
    const consent = new URL(url)
    const answer = await fetch(`${consent.origin}${consent.pathname}`, {
      method: 'POST',
      body: new URLSearchParams([...consent.searchParams, ['decision', 'allow']]),
      redirect: 'manual',
    })
    const back = new URL(answer.headers.get('location') ?? '').searchParams
    await this.#json('POST', pathOf(finishOAuth, tile), { code: back.get('code'), state: back.get('state') })
  }

  /**
   * Makes the required choices of a connection: all options where several can be chosen, otherwise the first, such as a project and then
   * its first type. `all`: the optional choices of several too, such as channels, but not what refines these.
   */
  async choose(tile: string, { all = false } = {}): Promise<void> {
    const chosen: Record<string, string[]> = {}
    for (;;) {
      const query = `?draft=${encodeURIComponent(JSON.stringify(chosen))}`
      const { choices } = getChoices.reply.parse(await this.#json('GET', `${pathOf(getChoices, tile)}${query}`))
      const open = choices.filter(({ field, options }) => !chosen[field] && options.length > 0)
      const next = open.find(({ required, single, depends_on }) => required || (all && !single && !depends_on))
      if (!next) break
      chosen[next.field] = next.options.map(({ value }) => value).slice(0, next.single ? 1 : undefined)
    }
    if (Object.keys(chosen).length > 0) await this.#json('PUT', pathOf(saveChoices, tile), chosen)
  }

  /** Whether insights are pushed to a destination automatically. */
  async pushAutomatically(tile: string, on: boolean): Promise<void> {
    await this.#json('PATCH', pathOf(updateConnection, tile), { push_automatically: on })
  }

  /** The progress of these sources' syncs, as their tiles show it. */
  async progress(
    tiles: readonly string[],
  ): Promise<{ label: string; read: number; syncing: boolean; error: string | null }[]> {
    const { connectors } = listConnectors.reply.parse(await this.#json('GET', listConnectors.path))
    return connectors
      .filter(({ manifest }) => tiles.includes(manifest.id))
      .map(({ manifest, connection }) => ({
        label: manifest.label,
        read: connection?.progress?.read ?? 0,
        syncing: connection?.status === 'syncing',
        error: connection?.error ?? null,
      }))
  }

  /** Imports a file and waits until its rows are read and grouped. */
  async importFile(name: string, body: string, signal: AbortSignal): Promise<void> {
    const query = `?name=${encodeURIComponent(name)}`
    const started = startImport.reply.parse(await this.#raw('POST', `${startImport.path}${query}`, body))
    for (;;) {
      signal.throwIfAborted()
      const state = getImport.reply.parse(await this.#json('GET', getImport.path.replace('{id}', started.id)))
      if (state.state === 'failed') throw new Error(`${name}: ${state.error}`)
      if (state.state === 'done' && state.grouped >= state.added) return
      await pause(POLL_MS, undefined, { signal })
    }
  }

  async insightCount(): Promise<number> {
    return listInsights.reply.parse(await this.#json('GET', listInsights.path)).length
  }

  #json(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#send(method, path, 'application/json', method === 'GET' ? undefined : JSON.stringify(body ?? {}))
  }

  #raw(method: string, path: string, body: string): Promise<unknown> {
    return this.#send(method, path, 'application/octet-stream', body)
  }

  async #send(method: string, path: string, type: string, body: string | undefined): Promise<unknown> {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': type }),
        ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}),
      },
      ...(body === undefined ? {} : { body }),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
}

const pathOf = ({ path }: { path: string }, tile: string) => path.replace('{tile}', tile)
