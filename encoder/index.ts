export { DIMENSIONS, type Encoder, openEncoder, VERSION } from './encoder.ts'
export { ModelMissing } from './model-folder.ts'
export { enableRevectorizer } from './revectorizer.ts'
export { passesSelfTest, readReference } from './self-test.ts'
