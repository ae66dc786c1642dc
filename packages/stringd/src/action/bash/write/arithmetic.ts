import type { ArithmeticExpression } from 'unbash'
import { evaluated, REFUSED } from '../know/refusal.ts'
import { type ScriptPart, textPart } from '../script-part.ts'
import { isNumberCommand } from './number-command.ts'
import { isNumberName } from './variable.ts'
import type { Walk } from './walk.ts'

const NUMBER = /^(?:\d+|0[xX][0-9a-fA-F]+)$/
const NAMED = /^(?:([A-Za-z_]\w*)|\$([A-Za-z_]\w*|[#?$!])|\$\{([A-Za-z_]\w*|[#?$!])\}|\$\{#([A-Za-z_]\w*)(?:\[@\])?\})$/

type Parts = readonly ScriptPart[]

/** Arithmetic of numbers only. What a name holds is evaluated, and so is what that names: it must never be text. */
export function writeArithmetic(expression: ArithmeticExpression, walk: Walk): Parts {
  const write = (inner: ArithmeticExpression): Parts => writeArithmetic(inner, walk)
  switch (expression.type) {
    case 'ArithmeticWord':
      return [textPart(writeOperand(expression.value, expression.pos, walk))]
    case 'ArithmeticGroup':
      return [textPart('( '), ...write(expression.expression), textPart(' )')]
    case 'ArithmeticUnary': {
      const { operator, operand, prefix } = expression
      return prefix ? [textPart(`${operator} `), ...write(operand)] : [...write(operand), textPart(` ${operator}`)]
    }
    case 'ArithmeticBinary': {
      const { operator, left, right } = expression
      // `+=` and the like also read what was there before.
      if (operator === '=' && left.type === 'ArithmeticWord') give(left.value, left.pos, walk)
      return [...write(left), textPart(` ${operator} `), ...write(right)]
    }
    case 'ArithmeticTernary': {
      const { test, consequent, alternate } = expression
      return [...write(test), textPart(' ? '), ...write(consequent), textPart(' : '), ...write(alternate)]
    }
    case 'ArithmeticCommandExpansion': {
      const { script, pos } = expression
      if (script === undefined || !isNumberCommand(script, walk)) walk.refuse(REFUSED.arithmetic, pos)
      const inner = script === undefined ? [] : walk.commands(script, walk.input, pos).parts
      return [textPart('$( '), ...inner, textPart('\n)')]
    }
  }
}

function writeOperand(value: string, at: number, walk: Walk): string {
  if (NUMBER.test(value)) return value
  const [, bare, simple, braced, length] = NAMED.exec(value) ?? []
  const name = bare ?? simple ?? braced
  const isKnown = length !== undefined || (name !== undefined && isNumberName(name, walk))
  const isField = name === undefined || walk.marked.isIn(name)
  if (!isKnown) walk.refuse(isField ? REFUSED.arithmetic : evaluated(name), at)
  return isKnown ? value : '0'
}

function give(name: string, at: number, walk: Walk): void {
  if (!/^[a-z_]\w*$/i.test(name)) walk.refuse(REFUSED.arithmetic, at)
  walk.facts.add('given', name)
}
