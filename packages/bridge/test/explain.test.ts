import { join } from 'node:path'
import { explainProfile, type Profile, parseProfile } from '@string-os/bridge'
import { describe, expect, it } from 'vitest'
import { AGENTS } from './support/turn.ts'

function profileOf(yaml: string): Profile {
  const reading = parseProfile(yaml, join(AGENTS, 'profile.yaml'))
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems))
  return reading.profile
}

const options = { cwd: '/tmp', environment: { PATH: '/usr/bin:/bin', SECRET: 'shh' } }

describe('explaining a profile', () => {
  it('names the file, the folder, the words and the variables, and runs nothing', async () => {
    const yaml = 'command: ./exit-with.sh {{MESSAGE}}\nargs: [x]\nenv: { KEY: "${SECRET}", GONE: "${NOPE}" }'
    expect(await explainProfile(profileOf(yaml), options)).toEqual({
      program: join(AGENTS, 'exit-with.sh'),
      cwd: '/tmp',
      args: ['{{MESSAGE}}', 'x'],
      environmentNames: expect.arrayContaining(['AGENT_MESSAGE', 'GONE', 'KEY', 'PATH', 'STRING_OWNER']),
      problem: null,
      warnings: ['${NOPE} in `env` is not set, so GONE holds nothing in its place'],
    })
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
})
