import type { CpuKernel, CpuParameter } from '../abi/program.ts';
import { Limits } from './attributes.ts';

const ENTRY = /\.entry\s+([\w$]+)\s*(?:\(([^)]*)\))?[^{;]*\{([^}]*)\}/g;
const PARAMETER = /\.param\s+(?:\.align\s+(\d+)\s+)?\.([a-z]+)(\d+)\s+[\w$]+(?:\[(\d+)\])?/;

/** The architecture of PTX text: `compute_80`. */
export function targetOf(code: Uint8Array): string | undefined {
  const capability = /^\s*\.target\s+sm_(\w+)/m.exec(new TextDecoder().decode(code))?.[1];
  return capability === undefined ? undefined : `compute_${capability}`;
}

/**
 * The kernels of PTX text in which all kernels are empty: the only PTX that needs no compiler. Undefined for any other
 * text.
 */
export function emptyKernels(code: Uint8Array): CpuKernel[] | undefined {
  const text = new TextDecoder().decode(code).replace(/\/\/.*/g, '');
  if (!/^\s*\.version\s/.test(text) || /\.func\b/.test(text)) return undefined;
  const kernels: CpuKernel[] = [];
  for (const [, symbol = '', list = '', body = ''] of text.matchAll(ENTRY)) {
    if (!/^\s*(ret;)?\s*$/.test(body)) return undefined;
    const parameters = list.trim() === '' ? [] : layout(list.split(','));
    if (!parameters) return undefined;
    const last = parameters.at(-1);
    kernels.push({
      symbol,
      parameters,
      argumentBytes: last ? last.offset + last.size : 0,
      contextBytes: 0,
      contextFixed: 0,
      sharedBytes: 0,
      maxThreads: Limits.THREADS,
      barriers: 0,
    });
  }
  return kernels.length > 0 ? kernels : undefined;
}

function layout(list: readonly string[]): CpuParameter[] | undefined {
  const parameters: CpuParameter[] = [];
  let end = 0;
  for (const text of list) {
    const match = PARAMETER.exec(text);
    if (!match) return undefined;
    const [, align, type, bits, count] = match;
    const unit = Number(bits) / 8;
    const size = unit * Number(count ?? 1);
    const alignment = Number(align ?? unit);
    const offset = Math.ceil(end / alignment) * alignment;
    parameters.push({ offset, size, ptx: `${type}${bits}${count === undefined ? '' : `[${count}]`}` });
    end = offset + size;
  }
  return parameters;
}
