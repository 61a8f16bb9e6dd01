import { expect, test } from '@jest/globals';
import { command } from '../../helpers/command.ts';

test.each([[[]], [['info']], [['doctor']], [['top']], [['compile']], [['run']], [['launch']], [['bench']]])(
  '%j --help',
  async (argv) => {
    const { code, stdout, stderr } = await command([...argv, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatchSnapshot();
  },
);

test('help NAME is NAME --help', async () => {
  expect((await command(['help', 'run'])).stdout).toBe((await command(['run', '--help'])).stdout);
});

test('without a command there is help, on stderr', async () => {
  const { code, stdout, stderr } = await command([]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe((await command(['--help'])).stdout);
});

test('--version', async () => {
  expect(await command(['--version'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as unknown as string,
    stderr: '',
  });
});
