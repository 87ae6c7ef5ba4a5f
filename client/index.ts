export { ApiError } from './api-error.ts'
export { type Client, type ClientOptions, createClient } from './create-client.ts'
export { pages } from './pages.ts'
