import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Script<Heard> = (heard: Heard, response: ServerResponse, count: number) => void

/**
 * A server for tests over real HTTP on this machine that replies as its `script` says, even wrongly. It records what `read`
 * returns for each request and its body; null: `read` has replied itself.
 */
export class ScriptedServer<Heard> {
  readonly heard: Heard[] = []
  script: Script<Heard>
  readonly #server: Server

  protected constructor(
    script: Script<Heard>,
    read: (request: IncomingMessage, body: string, response: ServerResponse) => Heard | null,
  ) {
    this.script = script
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        const heard = read(request, body, response)
        if (heard) this.script(heard, response, this.heard.push(heard))
      })
    })
  }

  protected async listen(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    return this
  }

  /** What comes before the paths of an OpenAI-compatible API. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }
}
