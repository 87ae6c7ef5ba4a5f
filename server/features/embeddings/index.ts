export { checkEmbeddings } from './check-embeddings.ts'
export { checkEncoder } from './check-encoder.ts'
export { requestEncoding } from './encode-job.ts'
export {
  readEncoderProgress,
  readEncoderVectorPage,
  readEncoderVectors,
} from './encoder-vectors.ts'
export { meaningHooks } from './explain.ts'
export { embeddingJobs } from './jobs.ts'
export { embeddingRoutes } from './routes.ts'
export { vectorSource } from './source.ts'
