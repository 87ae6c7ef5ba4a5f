export { forgetEvents } from './delivery-store.ts'
export { receiverJobs } from './jobs.ts'
export { resealReceivers } from './reseal.ts'
export { receiverRoutes } from './routes.ts'
