import fc from 'fast-check'
import { runSeed } from './random.ts'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: runSeed() })

/** fast-check, with the seed of the run. */
export { fc }
