// Answers every request with the same text.
import { serve } from './serve.mjs'

const { headers, text } = JSON.parse(process.argv[2])

serve(headers, () => text)
