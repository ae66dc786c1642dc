import { runs } from '../know/refusal.ts'
import { judged, type Rule, refused, takesValue } from './call.ts'

/** A file with options says where to write what, so it must hold no value. */
export const curl: Rule = (call, walk) => {
  const isConfigured = call.words.some(({ start }) => /^(?:-[a-zA-Z#]*K|--config$|--config=)/.test(start))
  const mayHold = takesValue(call) || walk.facts.has('script', 'writes')
  return isConfigured && mayHold ? refused(call, walk, runs('curl --config')) : judged(call, true)
}
