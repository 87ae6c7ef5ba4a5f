import type { Sample } from '../kit/sample.ts'

export const sample: Sample = (server) => ({
  form: { webhook: `${server}/hook/path-secret-5d1c`, client_token: 'client-token-91be' },
  secrets: { signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  answer: 'ok',
})
