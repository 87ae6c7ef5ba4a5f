import type { FastifyInstance, InjectOptions } from 'fastify'

/** By status: how many, and the first one. */
export type Answers = Map<number, { count: number; first: string }>

/** The same app, counting its response statuses, so that a run of nothing but refusals is noticed. */
export function counting(app: FastifyInstance, answers: Answers): FastifyInstance {
  return new Proxy(app, {
    get(target, name) {
      if (name !== 'inject') return Reflect.get(target, name) as unknown
      return async (request: InjectOptions) => {
        const answer = await target.inject(request)
        const { statusCode, body } = answer
        const { count, first } = answers.get(statusCode) ?? {
          count: 0,
          first: `${body.slice(0, 300)} for ${wordsOf(request)}`,
        }
        answers.set(statusCode, { count: count + 1, first })
        return answer
      }
    },
  })
}

function wordsOf({ method, url, payload }: InjectOptions): string {
  return `${method} ${JSON.stringify(url)} ${Buffer.isBuffer(payload) ? payload.toString().slice(0, 300) : ''}`
}
