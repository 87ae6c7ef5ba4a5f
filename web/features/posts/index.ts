export { PostingSections } from './posting-sections.tsx'
export { ReplyInThreads } from './reply-in-threads.tsx'
