export { relativeTime } from './relative-time.ts'
