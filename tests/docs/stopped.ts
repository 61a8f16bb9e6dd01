import { ATTACH, debug } from '../helpers/jit-debugger.ts';
import { colouredLines, COLUMN, DIM, LEFT, LINE, PLAIN, row, TOP, WIDTH, windowWith, type Part } from './window.ts';

const KERNEL = `const sums = jit((x: F32, out: F32, width: number) => {
  const tile = cuda.shared.array([2, 4], 'f32');
  const { x: column, y: row } = cuda.threadIdx;
  tile[row]![column] = x[row * width + column]!;
  cuda.syncthreads();
  let sum = cuda.float32(0);
  for (let i = 0; i <= column; i++) sum += tile[row]![i]!;
  out[row * width + column] = sum;
});`;
const PROGRAM = `import { Worker } from 'node:worker_threads';
import { cuda, jit, type F32 } from '@/src/cuda/jit/index.ts';

${KERNEL}
${ATTACH}
sums.simulate(1, [4, 2])(Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7), new Float32Array(8), 4);
worker.postMessage('done');
`;
/** Lines before the kernel. */
const BEFORE = PROGRAM.slice(0, PROGRAM.indexOf(KERNEL)).split('\n').length - 1;
const CONDITION = 'threadIdx.x === 3 && threadIdx.y === 1';
const LOCALS = ['column', 'row', 'sum', 'width'];
const CELLS = [0, 1, 2, 3].map((i) => `tile[row][${i}]`);
const INDICES = ['threadIdx', 'blockIdx', 'blockDim'];
const CODE = 320;
const YELLOW = '#3a3214';

/** The picture of a kernel that a debugger has stopped in one thread: what it saw there. */
export async function stoppedPicture(): Promise<string> {
  const lines = KERNEL.split('\n');
  const line = BEFORE + lines.findIndex((text) => text.includes('out[')) + 1;
  const axes = INDICES.flatMap((name) => ['x', 'y', 'z'].map((axis) => `${name}.${axis}`));
  const evaluate = [...LOCALS, ...axes, ...CELLS];
  const { stops } = await debug(PROGRAM, { breakpoints: [{ line, condition: CONDITION }], evaluate, steps: 0 });
  const [stop, ...others] = stops;
  if (stop?.line !== line || others.length > 0) throw new Error(`the debugger stopped at ${JSON.stringify(stops)}`);
  return draw(line, variablesOf(stop.values));
}

function variablesOf(values: Readonly<Record<string, unknown>>): readonly (readonly [name: string, value: string])[] {
  const indices = INDICES.map((name): readonly [string, string] => {
    const axes = ['x', 'y', 'z'].map((axis) => `${axis}: ${String(values[`${name}.${axis}`])}`);
    return [name, `{${axes.join(', ')}}`];
  });
  const tile = CELLS.map((cell) => String(values[cell])).join(', ');
  return [
    ...LOCALS.map((name): readonly [string, string] => [name, String(values[name])]),
    ['tile[row]', `[${tile}]`],
    ...indices,
  ];
}

function draw(stopped: number, variables: readonly (readonly [name: string, value: string])[]): string {
  const body: string[] = [];
  const coloured = colouredLines(KERNEL);
  let y = TOP;
  for (const [i, parts] of coloured.entries()) {
    const number = BEFORE + i + 1;
    if (number === stopped) {
      body.push(
        `<rect x="${CODE - 22}" y="${y - 14}" width="${WIDTH - CODE + 20}" height="${LINE}" fill="${YELLOW}"/>`,
        `<circle cx="${CODE - 10}" cy="${y - 4}" r="5" fill="#f85149"/>`,
        `<path d="M ${CODE + 28} ${y - 9} l 7 5 l -7 5 z" fill="#e3b341"/>`,
      );
    }
    body.push(row(y, [[String(number).padStart(3), '#57606a']], CODE), row(y, parts, CODE + LEFT - 18));
    y += LINE;
    if (number === stopped) {
      body.push(row(y, [[`condition: ${CONDITION}`, DIM]], CODE + LEFT - 18));
      y += LINE;
    }
  }
  const height = Math.max(y, TOP + (variables.length + 1) * LINE) + 4;
  const panel = [
    row(TOP, [['VARIABLES', DIM]], 18),
    ...variables.map(([name, value], i) => {
      const parts: readonly Part[] = [
        [`${name}: `, '#d2a8ff'],
        [value, value.startsWith('{') || value.startsWith('[') ? PLAIN : '#79c0ff'],
      ];
      return row(TOP + (i + 1) * LINE, parts, 18);
    }),
    `<path d="M ${CODE - 28} 36 V ${height - 1}" stroke="#30363d"/>`,
  ];
  if (Math.max(...variables.map(([name, value]) => name.length + value.length + 2)) * COLUMN > CODE - 50)
    throw new Error('the variables are wider than their panel');
  return windowWith('A debugger stopped in thread (3, 1) of a kernel in TypeScript', height, [...panel, ...body]);
}
