import type { TestExpression, Word } from 'unbash'
import { REFUSED } from '../know/refusal.ts'
import { type ScriptPart, textPart } from '../script-part.ts'
import type { Walk } from './walk.ts'
import { writeWord } from './word.ts'

const UNARY = /^-[nzfderwxsLh]$/
const STRINGS = /^(?:=|==|!=|-nt|-ot|-ef)$/
const NUMBERS = /^-(?:eq|ne|gt|ge|lt|le)$/

/** `[[ … ]]` of what holds no value. */
export function writeTest(expression: TestExpression, walk: Walk): readonly ScriptPart[] {
  switch (expression.type) {
    case 'TestUnary':
      if (!UNARY.test(expression.operator)) walk.refuse(REFUSED.testOperator, expression.pos)
      return [textPart(`${expression.operator} `), ...operand(expression.operand, false, walk)]
    case 'TestBinary': {
      const { operator, left, right, pos } = expression
      const isNumber = NUMBERS.test(operator)
      if (!isNumber && !STRINGS.test(operator)) walk.refuse(REFUSED.testOperator, pos)
      return [...operand(left, isNumber, walk), textPart(` ${operator} `), ...operand(right, isNumber, walk)]
    }
    case 'TestLogical':
      return expression.operands.flatMap((each, at) => [
        ...(at === 0 ? [] : [textPart(` ${expression.operator} `)]),
        ...writeTest(each, walk),
      ])
    case 'TestNot':
      return [textPart('! '.repeat(expression.negations.length)), ...writeTest(expression.operand, walk)]
    case 'TestGroup':
      return [textPart('( '), ...writeTest(expression.expression, walk), textPart(' )')]
  }
}

/** Numbers are evaluated, so they must be some. */
function operand(word: Word, isNumber: boolean, walk: Walk): readonly ScriptPart[] {
  const text = writeWord(word, walk)
  if (text.holds || (isNumber && !text.isNumber)) walk.refuse(REFUSED.test, word.pos)
  return text.parts
}
