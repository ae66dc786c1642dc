/** Numbers that look random and are always the same. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Writes scripts by the grammar of bash's manual: every kind of command, word, expansion and redirection, with fields and
 * the variables that may hold them wherever a word can stand. It knows nothing of what is accepted.
 */
export class BashGrammar {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = randomOf(seed)
  }

  /** A script with a field in it. */
  script(): string {
    for (;;) {
      const text = this.#list(3)
      if (text.includes('{v}') && text.length < 2_000) return text
    }
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.#random() * items.length)]
    if (item === undefined) throw new Error('Nothing to pick from')
    return item
  }

  #chance(share: number): boolean {
    return this.#random() < share
  }

  #some(share: number, most: number, make: () => string): string[] {
    const made: string[] = []
    while (made.length < most && this.#chance(share)) made.push(make())
    return made
  }

  #list(depth: number): string {
    const first = this.#chain(depth)
    const others = this.#some(0.45, 3, () => `${this.pick(['; ', '\n', ' & ', '; '])}${this.#chain(depth)}`)
    return [first, ...others].join('')
  }

  #chain(depth: number): string {
    const others = this.#some(0.15, 2, () => `${this.pick([' && ', ' || '])}${this.#pipeline(depth)}`)
    return [this.#pipeline(depth), ...others].join('')
  }

  #pipeline(depth: number): string {
    const prefix = this.#chance(0.05) ? this.pick(['! ', 'time ', 'time -p ', '! ! ']) : ''
    const others = this.#some(0.25, 2, () => `${this.pick([' | ', ' |& ', ' | '])}${this.#command(depth)}`)
    return [prefix, this.#command(depth), ...others].join('')
  }

  #command(depth: number): string {
    if (depth <= 0 || this.#chance(0.7)) return this.#simple(depth)
    const compound = this.#compound(depth - 1)
    return this.#chance(0.2) ? `${compound} ${this.#redirection(depth - 1)}` : compound
  }

  #compound(depth: number): string {
    const list = (): string => this.#list(depth)
    const name = this.#name()
    const test = (): string => (this.#chance(0.5) ? this.#simple(depth) : this.#condition(depth))
    switch (
      this.pick([
        '( )',
        '{ }',
        'if',
        'while',
        'until',
        'for',
        'for',
        'for((',
        'case',
        'select',
        '((',
        '[[',
        'f',
        'f',
        'coproc',
      ])
    ) {
      case '( )':
        return `(${list()})`
      case '{ }':
        return `{ ${list()}; }`
      case 'if':
        return `if ${test()}; then ${list()}; ${this.#chance(0.3) ? `else ${list()}; ` : ''}fi`
      case 'while':
        return `while ${this.#chance(0.6) ? 'read -r x' : test()}; do ${list()}; break; done`
      case 'until':
        return `until ${test()}; do ${list()}; break; done`
      case 'for':
        return `for ${name} in ${this.#words(depth)}; do ${list()}; done`
      case 'for((':
        return `for ((${this.#sum(depth)}; ${this.#sum(depth)}; ${this.#sum(depth)})); do ${list()}; break; done`
      case 'case':
        return `case ${this.#word(depth)} in ${this.#word(depth)}) ${list()};; *) ${list()};; esac`
      case 'select':
        return `select ${name} in ${this.#words(depth)}; do ${list()}; break; done <<< 1`
      case '((':
        return `((${this.#sum(depth)}))`
      case '[[':
        return this.#condition(depth)
      case 'coproc':
        return `coproc { ${list()}; }`
      default:
        return `f() { ${list()}; }; f ${this.#words(depth)}`
    }
  }

  #condition(depth: number): string {
    const word = (): string => this.#word(depth)
    const one = (): string =>
      this.pick([
        `${word()} ${this.pick(['-eq', '-gt', '==', '!=', '=~', '<', '-nt'])} ${word()}`,
        `${this.pick(['-v', '-n', '-z', '-f', '-R', '-o'])} ${word()}`,
        word(),
      ])
    return `[[ ${one()}${this.#chance(0.2) ? ` ${this.pick(['&&', '||'])} ${one()}` : ''} ]]`
  }

  #simple(depth: number): string {
    const assignments = this.#some(0.25, 2, () => `${this.#assignment(depth)} `)
    if (this.#chance(0.15)) return `${assignments.join('')}${this.#assignment(depth)}`
    const redirections = this.#some(0.2, 2, () => ` ${this.#redirection(depth)}`)
    return `${assignments.join('')}${this.#program(depth)}${redirections.join('')}`
  }

  #program(depth: number): string {
    const words = (): string => this.#words(depth)
    const word = (): string => this.#word(depth)
    const name = (): string => (this.#chance(0.8) ? this.#name() : word())
    return this.pick<() => string>([
      () => `echo ${words()}`,
      () => `echo ${words()}`,
      () => `printf ${this.pick(["'%s\\n'", '%s', '%d', '%b', word(), `-v ${name()} %s`])} ${words()}`,
      () => `cat ${this.#chance(0.5) ? '' : words()}`,
      () => `: ${words()}`,
      () => `${this.pick(['grep --', 'head -n1', 'tee out', 'sort', 'tr a b', 'cut -c1-9', 'wc -c', 'nl'])}`,
      () => `read ${this.pick(['', '-r ', '-ra ', '-d "" '])}${name()}`,
      () => `mapfile ${this.pick(['', '-t ', '-C eval -c1 '])}${name()}`,
      () =>
        `[ ${this.pick([`${word()} ${this.pick(['=', '-eq', '-gt', '!='])} ${word()}`, `${this.pick(['-v', '-n', '-z'])} ${word()}`, words()])} ]`,
      () => `test ${words()}`,
      () =>
        `${this.pick(['export', 'declare', 'declare -i', 'declare -n', 'declare -a', 'local', 'readonly', 'typeset'])} ${this.pick([this.#assignment(depth), name(), word()])}`,
      () => `set -- ${words()}`,
      () =>
        `${this.pick(['unset', 'let', 'eval', 'trap', 'exec', 'source', '.', 'shift', 'cd', 'type', 'hash', 'alias', 'getopts a', 'wait', 'exit'])} ${words()}`,
      () =>
        `${this.pick(['bash', 'sh'])} ${this.pick(['-c', '-s', '', '-x', '--'])} ${this.pick([words(), `'echo "$1"' x ${words()}`, `'echo $((x))'`, `'eval "$1"' x ${words()}`])}`,
      () =>
        `${this.pick(['timeout 5', 'command', 'builtin', 'env', 'nice', 'nohup', 'exec', 'xargs', 'xargs -n1', 'env x=1'])} ${this.#program(depth)}`,
      () => `sed ${this.pick(["'s/a/b/'", "'s/a/b/e'", 'e', '-n p', word()])} ${this.#chance(0.4) ? word() : ''}`,
      () => `awk ${this.pick(["'{print}'", "'{system($0)}'", '-v x=1', word()])} ${this.#chance(0.5) ? words() : ''}`,
      () => `find . -maxdepth 0 ${this.pick(['-name', '-exec', '-exec echo', ''])} ${words()}`,
      () => `f ${words()}`,
      () => `${word()} ${words()}`,
      () => `true`,
      () => `shopt -s ${this.pick(['lastpipe', 'extglob', 'expand_aliases', 'nullglob'])}`,
    ])()
  }

  #words(depth: number): string {
    return [this.#word(depth), ...this.#some(0.4, 3, () => this.#word(depth))].join(' ')
  }

  #name(): string {
    return this.pick(['x', 'x', 'y', 'a', 'n', 'RANDOM', 'PS4', 'REPLY', 'i'])
  }

  #assignment(depth: number): string {
    const name = this.#name()
    const operator = this.pick(['=', '=', '+='])
    return this.pick([
      `${name}${operator}${this.#word(depth)}`,
      `${name}${operator}${this.#word(depth)}`,
      `${name}=${this.pick(['0', '1', '{v}', '{v}'])}`,
      `a[${this.pick([this.#sum(depth), '0'])}]${operator}${this.#word(depth)}`,
      `a=(${this.#words(depth)})`,
      `a=([${this.#word(depth)}]=${this.#word(depth)})`,
    ])
  }

  #redirection(depth: number): string {
    const word = this.#word(depth)
    return this.pick([
      `> ${this.pick(['out', 's.sh', word])}`,
      `>> ${this.pick(['out', 's.sh'])}`,
      `< ${this.pick(['out', '/dev/null', word])}`,
      `<<< ${word}`,
      `<<< ${word}`,
      `<<E\n${word} $x ${this.pick(['', '$((x))', '$(cat)', '`cat`'])}\nE\n`,
      `<<'E'\n${word} $x\nE\n`,
      `<<-E\n\t${word}\n\tE\n`,
      `2>&1`,
      `>&${this.pick(['2', word])}`,
      `&> out`,
      `{x}> out`,
      `3<<< ${word} 0<&3`,
      `< <(${depth > 0 ? this.#list(depth - 1) : 'echo {v}'})`,
    ])
  }

  #word(depth: number): string {
    const parts = [this.#part(depth), ...this.#some(0.2, 2, () => this.#part(depth))]
    return parts.join('')
  }

  #part(depth: number): string {
    const name = this.#name()
    const deeper = depth > 0
    return this.pick<() => string>([
      () =>
        this.pick([
          'a',
          'b1',
          '0',
          '1',
          'x',
          '-v',
          '-c',
          '/dev/stdin',
          './s.sh',
          'a[x]',
          's.sh',
          'x=1',
          '-',
          '--',
          '%s',
        ]),
      () => this.pick(['a', '1', 'x', 'word']),
      () => '{v}',
      () => '{v}',
      () => '"{v}"',
      () => "'{v}'",
      () => `$${name}`,
      () => `"$${name}"`,
      () => `"$${name}"`,
      () => this.pick(['$1', '"$1"', '"$@"', '$*', '$#', '$_', '"${a[@]}"', '${a[0]}', '$ARGS', '"$ARGS"']),
      () => `'${this.pick(['a b', '$x', 'a;b', '$(touch M)'.slice(0, 0)])}'`,
      () => `"${this.pick(['a b ', '', 'x='])}${deeper ? this.#inQuotes(depth - 1) : '{v}'}"`,
      () =>
        this.pick([
          "$'a\\n'",
          "$'{v}'",
          '$"{v}"',
          '\\{v}',
          '\\$x',
          '~',
          '*',
          '[a-c]*',
          '{a,b}',
          '{1..2}',
          '{{v},a}',
          '?(x)',
        ]),
      () => (deeper ? this.#expansion(depth - 1) : `\${${name}}`),
      () => (deeper ? `$(${this.#list(depth - 1)})` : '$(cat)'),
      () => (deeper ? `"$(${this.#list(depth - 1)})"` : '"$(echo {v})"'),
      () => (deeper ? `\`${this.#list(0).replaceAll('`', '')}\`` : '`echo x`'),
      () => `$((${this.#sum(depth - 1)}))`,
      () => (deeper ? `<(${this.#list(depth - 1)})` : '<(echo {v})'),
    ])()
  }

  #inQuotes(depth: number): string {
    return this.pick([
      `$${this.#name()}`,
      '{v}',
      `$(${this.#list(depth)})`,
      `$((${this.#sum(depth)}))`,
      this.#expansion(depth),
      'a',
    ])
  }

  #expansion(depth: number): string {
    const name = this.#name()
    const word = this.#word(depth - 1)
    const operator = this.pick([
      ':-',
      '-',
      ':=',
      ':+',
      ':?',
      '#',
      '##',
      '%',
      '%%',
      '/',
      '//',
      ':',
      '^^',
      ',,',
      '@',
      '@P',
      '@Q',
      '@E',
      '[',
      '!',
      '#',
    ])
    switch (operator) {
      case '[':
        return `\${a[${this.pick([this.#sum(depth), '0', '@'])}]}`
      case '!':
        return `\${!${name}}`
      case '/':
      case '//':
        return `\${${name}${operator}${word}/${this.#word(depth - 1)}}`
      case ':':
        return `\${${name}:${this.#sum(depth)}}`
      case '^^':
      case ',,':
        return `\${${name}${operator}}`
      case '@':
      case '@P':
      case '@Q':
      case '@E':
        return `\${${name}${operator === '@' ? '@A' : operator}}`
      default:
        return `\${${name}${operator}${word}}`
    }
  }

  #sum(depth: number): string {
    const name = this.#name()
    return this.pick<() => string>([
      () => this.pick(['0', '1', '2']),
      () => name,
      () => `$${name}`,
      () => '{v}',
      () => `${name}${this.pick(['=', '+=', '<', '+', '*', '=='])}${depth > 0 ? this.#sum(depth - 1) : '1'}`,
      () => `${name}++`,
      () => `a[${depth > 0 ? this.#sum(depth - 1) : 'x'}]`,
      () => '${#x}',
      () => '$1',
      () => '$(echo {v})',
    ])()
  }
}
