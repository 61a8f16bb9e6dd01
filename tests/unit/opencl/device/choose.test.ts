import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chooseDevices, createSomeContext } from '../../../../src/opencl/device/choose.ts';
import { getPlatforms } from '../../../../src/opencl/device/platforms.ts';
import { useOpenCL } from '../../../../src/opencl/select.ts';
import { fakeOpenCL, type FakeOpenCL } from '../../../helpers/fake-opencl.ts';

const [CPU, GPU, ACCELERATOR] = [2, 4, 8];
const before = process.env['RAWKERNEL_CTX'];
let fake: FakeOpenCL;

beforeEach(() => {
  fake = fakeOpenCL();
  fake.platforms = [
    { name: 'Portable Computing Language', devices: [['pthread EPYC', CPU]] },
    { name: 'Empty', devices: [] },
    {
      name: 'NVIDIA CUDA',
      devices: [
        ['NVIDIA H100', GPU],
        ['NVIDIA H200', GPU],
      ],
    },
  ];
  useOpenCL(fake.table);
  delete process.env['RAWKERNEL_CTX'];
});
afterEach(() => {
  useOpenCL(undefined);
  if (before === undefined) delete process.env['RAWKERNEL_CTX'];
  else process.env['RAWKERNEL_CTX'] = before;
});

const chosen = (answer?: string): string[] => {
  if (answer !== undefined) process.env['RAWKERNEL_CTX'] = answer;
  return chooseDevices({ interactive: false }).map((device) => device.name);
};

describe('chooseDevices', () => {
  test('prefers a GPU, then a CPU', () => {
    expect(chosen()).toEqual(['NVIDIA H100']);
    fake.platforms = [
      {
        name: 'Mixed',
        devices: [
          ['Board', ACCELERATOR],
          ['Chip', CPU],
        ],
      },
    ];
    useOpenCL({ ...fake.table });
    expect(chosen()).toEqual(['Chip']);
  });

  test.each([
    ['0', ['pthread EPYC']],
    ['1', ['NVIDIA H100']],
    ['1:1', ['NVIDIA H200']],
    ['1:0,1', ['NVIDIA H100', 'NVIDIA H200']],
    ['1:0,0', ['NVIDIA H100']],
    ['nvidia:h200', ['NVIDIA H200']],
    ['PORTABLE', ['pthread EPYC']],
    ['portable:epyc', ['pthread EPYC']],
    [' nvidia : h200 ', ['NVIDIA H200']],
    ['', ['NVIDIA H100']],
  ])('takes RAWKERNEL_CTX=%j', (answer, names) => {
    expect(chosen(answer)).toEqual(names);
  });

  test.each([
    ['intel', /RAWKERNEL_CTX: platform 'intel' matches nothing; there is\n {2}0 {2}Portable.*\n {2}1 {2}NVIDIA CUDA/],
    ['7', /platform '7' matches nothing/],
    ['nvidia:a100', /device 'a100' matches nothing; there is\n {2}0 {2}NVIDIA H100/],
    ['a:b:c', /has the form platform\[:device\[,device\]\]/],
  ])('refuses RAWKERNEL_CTX=%j', (answer, message) => {
    expect(() => chosen(answer)).toThrow(message);
  });

  test('takes answers instead of the variable', () => {
    process.env['RAWKERNEL_CTX'] = '0';
    expect(chooseDevices({ answers: ['nvidia', '1'] }).map((device) => device.name)).toEqual(['NVIDIA H200']);
    expect(() => chooseDevices({ answers: ['x'] })).toThrow("answers: platform 'x'");
  });

  test('says what to install where there is no device', () => {
    fake.platforms = [];
    expect(getPlatforms()).toEqual([]);
    expect(() => chosen()).toThrow(/No OpenCL device was found[^]*pocl-opencl-icd/);
    expect(() => chooseDevices({ interactiv: true } as object)).toThrow("no option 'interactiv'");
  });
});

test('createSomeContext makes a context of the devices', () => {
  using ctx = createSomeContext({ answers: ['nvidia', '0,1'] });
  expect(ctx.devices).toHaveLength(2);
  expect(ctx.platform.name).toBe('NVIDIA CUDA');
});
