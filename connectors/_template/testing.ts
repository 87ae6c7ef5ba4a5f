import type { Sample } from '../kit/sample.ts'

export const sample: Sample = (server) => ({
  form: { server, token: 'template-token-7f3a' },
  secrets: {},
  answer: '{"id":"17","url":"https://tracker.example.com/items/17"}',
})
