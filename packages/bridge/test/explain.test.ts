import { join } from 'node:path'
import { explainProfile, type Profile, parseProfile } from '@string-os/bridge'
import { describe, expect, it } from 'vitest'
import { AGENTS } from './support/turn.ts'

function profileOf(yaml: string): Profile {
  const reading = parseProfile(yaml, join(AGENTS, 'profile.yaml'))
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems))
  return reading.profile
}

const options = { cwd: '/tmp', home: '/tmp', environment: { PATH: '/usr/bin:/bin', SECRET: 'shh' } }

describe('explaining a profile', () => {
  it('names the file, the folder, the words and the variables, and runs nothing', async () => {
    const yaml = 'command: ./exit-with.sh {{MESSAGE}}\nargs: [x]\nenv: { KEY: "${SECRET}", GONE: "${NOPE}" }'
    expect(await explainProfile(profileOf(yaml), options)).toEqual({
      program: join(AGENTS, 'exit-with.sh'),
      cwd: '/tmp',
      args: ['{{MESSAGE}}', 'x'],
      environmentNames: expect.arrayContaining(['AGENT_MESSAGE', 'GONE', 'KEY', 'PATH', 'STRING_OWNER']),
      problem: null,
      warnings: [
        '${NOPE} in the key `env` is not set, so GONE holds nothing in its place. Set NOPE in the environment',
      ],
    })
    const howToSet = (variable: string): string => `Ask for ${variable}`
    const told = await explainProfile(profileOf(yaml), { ...options, howToSet })
    expect(told.warnings).toEqual([expect.stringMatching(/in its place\. Ask for NOPE$/)])
  })

  it('tells of variables as a shell writes them, and of quotes around what is set', async () => {
    const environment = { PATH: process.env.PATH, QUOTED: '"sk-1"', PLAIN: `it's` }
    const told = async (value: string): Promise<readonly string[]> => {
      const yaml = `command: ["cat"]\nenv: { KEY: ${JSON.stringify(value)} }\n`
      return (await explainProfile(profileOf(yaml), { ...options, environment })).warnings
    }
    expect(await told('a $PLAIN b')).toEqual([
      '$PLAIN in the key `env` is no variable here, and KEY gets it as it stands. Write ${PLAIN}',
    ])
    expect(await told('${PLAIN:-none}')).toEqual([expect.stringMatching(/^\$\{PLAIN:-none\} .* Write \$\{PLAIN\}$/)])
    expect(await told('${QUOTED}')).toEqual([
      expect.stringContaining('${QUOTED} in the key `env` has quotes at both ends'),
    ])
    for (const value of ['${PLAIN}', '5 $', '$5', '{{MESSAGE}}']) expect(await told(value)).toEqual([])
  })

  it('says why a turn could not run', async () => {
    expect(await explainProfile(profileOf('command: ./nope'), options)).toMatchObject({
      program: null,
      problem: {
        exitCode: 127,
        message: `The program ${AGENTS}/nope was not found. Install it, or mend \`command\` in the profile.`,
      },
    })
    const elsewhere = await explainProfile(profileOf('command: ./exit-with.sh\ncwd: /no/such'), options)
    expect(elsewhere.problem).toMatchObject({ exitCode: 2, message: expect.stringContaining('/no/such') })
  })

  it('warns of a file beside the profile that the program would look for in the home of the agent', async () => {
    const warnings = async (yaml: string, home: string | null = '/tmp'): Promise<readonly string[]> =>
      (await explainProfile(profileOf(yaml), { ...options, home })).warnings
    const said =
      'exit-with.sh is beside the profile, but the agent runs in its home /tmp. Write {{PROFILE_DIR}}/exit-with.sh, or add cwd: .'
    expect(await warnings('command: sh exit-with.sh')).toEqual([said])
    expect(await warnings('command: [sh]\nargs: [./exit-with.sh]')).toEqual([`./${said}`])
    expect(await warnings('command: sh exit-with.sh', null)).toEqual([
      said.replace('the agent runs in its home /tmp', 'in the daemon the agent runs in its home'),
    ])
    for (const fine of [
      'command: sh {{PROFILE_DIR}}/exit-with.sh',
      'command: sh exit-with.sh\ncwd: .',
      'command: ./exit-with.sh',
      'command: sh nothing.sh',
      'command: sh .',
    ])
      expect(await warnings(fine), fine).toEqual([])
    expect(await warnings('command: sh exit-with.sh', AGENTS)).toEqual([])
  })

  it('warns of limits that are never reached on its wire, and of questions that nobody can ask on it', async () => {
    const warnings = async (yaml: string): Promise<readonly string[]> =>
      (await explainProfile(profileOf(`command: ./exit-with.sh\n${yaml}`), options)).warnings
    expect(await warnings('limits: { tokens_per_day: 5, cost_per_day: 1, turns_per_hour: 3 }')).toEqual([
      'tokens_per_day is never reached on wire 0.1, on which no agent can say what it used. turns_per_hour and minutes_per_day count there',
      'cost_per_day is never reached on wire 0.1, on which no agent can say what it used. turns_per_hour and minutes_per_day count there',
    ])
    expect(await warnings('permission: true')).toEqual([
      'permission: true does nothing on wire 0.1, on which no agent can ask. Write wire: "0.4" for one that speaks it',
    ])
    expect(await warnings('wire: "0.4"\npermission: true\nlimits: { cost_per_day: 1 }')).toEqual([])
  })
})
