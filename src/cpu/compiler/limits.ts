import { notesOnNames } from './missing-names.ts';

const HOST_CODE =
  'code for the host (main(), memory and launches by cudaMalloc() or <<<>>>) does not belong here: ' +
  'give SourceModule the kernels and device functions alone, as NVRTC wants it';
const HOST_HEADERS = [
  ...'algorithm any chrono complex deque exception filesystem format fstream future iomanip ios iostream istream'.split(
    ' ',
  ),
  ...'list map memory mutex numeric optional ostream queue random ranges regex set span sstream stack'.split(' '),
  ...'stdexcept string string_view thread unordered_map unordered_set variant vector'.split(' '),
];

/** Notes on the device's limits, by patterns of clang's errors. */
const LIMITS: readonly (readonly [RegExp, string])[] = [
  [
    /error: .*\bconstraint\b.* in asm/,
    "operands of inline PTX must have one of the constraints 'h', 'r', 'l', 'f', 'd', 'n' and 'C'",
  ],
  [
    /error: unknown register name '[^']*' in asm/,
    "inline PTX can have 'memory' behind its operands, and no other name",
  ],
  [
    /error: a kernel launches a kernel/,
    'launches from kernels need relocatable code, on a GPU with the device runtime: ' +
      'dynamicSourceModule(source), or a DynamicModule of several sources',
  ],
  [
    /'(?:texture|surface)'/,
    'a texture or surface reference is taken for one where the source or a header writes texture<…> or surface<…>, and none ' +
      'of them has a type of its own of that name',
  ],
  [/'(?:textureReference|surfaceReference)'/, HOST_CODE],
  [/'(?:cuda_fp[46]\.h|__nv_fp[46]\w*)'/, 'the CPU device has no numbers of 4 and 6 bits; <cuda_fp8.h> has those of 8'],
  [
    /undeclared identifier 'cuda(?:DeviceSynchronize|Malloc\w*|Free\w*|Memcpy\w*|Memset\w*|Launch\w*|ConfigureCall|__?push\w*|Get\w+|Set\w+|Stream\w+|Event\w+)'|(?:unknown type name|undeclared identifier) '(?:cuda(?:DeviceProp|Error)|CU(?:result|stream|device|context)|std::cout)'/,
    HOST_CODE,
  ],
  [
    /no member named 'Device\w+' in namespace 'cub'|'cub\/(?:device|agent|grid)\/[^']*' file not found/,
    "cub's Device… algorithms are host code, which launches kernels of its own; cub's Block…, Warp… and Thread… parts are here",
  ],
  [
    new RegExp(`'(?:${HOST_HEADERS.join('|')})' file not found`),
    "the C++ library of the host is not for kernels; of CUDA's own, <cuda/std/…> has what docs/cpu-device.md lists",
  ],
  [
    /'(?:thrust|cub(?!\/(?:device|agent|grid)\/)|cutlass|cute|cuda)\/[^']*' file not found|'(?:cublas|cufft|cusolver|cusparse|cudnn|nccl|curand_mtgp32|cusolverDn)[^']*\.h' file not found/,
    "the CPU device brings the headers that docs/cpu-device.md lists; others have to be found by 'includeDirs'",
  ],
];

/** Errors of clang that advise an option which has no effect on this device, and their replacements. */
const REWORDED: readonly (readonly [RegExp, string])[] = [
  [
    /kernel launch from __device__ or __global__ function requires relocatable device code.*/g,
    'a kernel launches a kernel',
  ],
];

/** The log of a source that has crashed the compiler, or of a machine without room for the compiler. */
export function tooMuch(why: string): string {
  if (/allocate|out of memory/i.test(why)) {
    return `error: the compiler ${why}: it needs more memory or address space; raise the limit (ulimit -v unlimited)`;
  }
  return (
    `error: the compiler ${why}: the source is too deep or too large for it; ` +
    'nest brackets, templates and macros less deeply, or split the source'
  );
}

/** A log of errors without clang's advice that does not help here, and with notes on the device's limits. */
export function explained(log: string): string {
  const own = REWORDED.reduce((text, [pattern, words]) => text.replace(pattern, words), log);
  const limits = LIMITS.filter(([pattern]) => pattern.test(own)).map(([, note]) => note);
  const notes = [...limits, ...notesOnNames(log)].map((note) => `note: ${note}`);
  return [own, ...notes].join('\n');
}
