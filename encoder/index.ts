export { DIMENSIONS, type Encoder, LANGUAGES, openEncoder, VERSION } from './encoder.ts'
export { type ModelChoice, ModelMissing, nameOfModel } from './model-folder.ts'
export { passesSelfTest, readReference } from './self-test.ts'
