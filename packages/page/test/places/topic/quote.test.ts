import { splitWords } from '@string-os/protocol'
import { expect, it } from 'vitest'
import { quote } from '../../../src/places/topic/quote.ts'

it.each(['plain', 'a b', "it's", '"', '\\', '$HOME', '`x`', "'", '', 'a\tb', '#x', '~', '*'])(
  '%j is one word of a command, as it was given',
  (text) => {
    expect(splitWords(`/open ${quote(text)}`)).toEqual(['/open', text])
  },
)
