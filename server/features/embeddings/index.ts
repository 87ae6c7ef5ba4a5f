export { checkEmbeddings } from './check-embeddings.ts'
export { embeddingJobs } from './jobs.ts'
export { embeddingRoutes } from './routes.ts'
export { vectorSource } from './source.ts'
