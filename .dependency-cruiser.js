// The laws of the house about whole folders: which one lies over which, and that nothing goes around in a circle.
// eslint.config.js has those about single names. `npm run structure` checks them.

/** Folders from the ground up: at run time each one imports those before it, never those after it. */
const FLOORS = {
  'src/cuda': [
    'sys',
    'libraries',
    'device',
    'compiler',
    'lifetime',
    'memory',
    'graph',
    'stream',
    'texture',
    'copy',
    'kernel',
    'module',
    'interop',
    'pool',
    'managed',
    'array',
    'jit',
  ],
  'src/opencl': [
    'sys',
    'older',
    'device',
    'queue',
    'memory',
    'external',
    'program',
    'kernel',
    'recording',
    'array',
    'jit',
  ],
  'src/cpu': ['abi', 'files', 'runtime', 'compiler', 'reports', 'ipc', '(?:driver|opencl)', 'nccl'],
};

/** Files beside the folders that users, or `select.ts`, begin with. The others lie under the folders. */
const ENTRIES = {
  'src/cuda': 'index|python-names|autoinit',
  'src/opencl': 'index|python-names',
};

const runTime = { dependencyTypesNot: ['type-only'] };

/** Modules that give out raw tables, whose functions return a status that nobody has looked at. */
const RAW = '^src/(?!cli/)[\\w-]+/(?:select|table|libraries/[^/]+/table)\\.ts$';
/** Prototypes: what is in `sys` besides constants, structs and types. */
const PROTOTYPES = '^src/\\w+/(?:sys/(?!enums|structs|pixel|ctypes|tables|index)[^/]+|libraries/[^/]+/functions)\\.ts$';
/** Layers of a half that have the tables: its guard, what chooses and merges tables, and `sys` for users. */
const UNDER_THE_GUARD =
  '^src/[\\w-]+/(?:call|errors|extension|installed|merge|select|selection|table|timeline)\\.ts$|^src/\\w+/(?:sys|older|libraries)/';
/** The launch path, which has checked its arguments and looks at the status itself. */
const LAUNCH_PATH = '^src/(?:cuda/kernel/launch|opencl/kernel/kernel)\\.ts$';

function floors([half, folders]) {
  return folders.slice(0, -1).map((folder, i) => ({
    name: `floor-${half.slice(4)}-${folder}`,
    comment: `${half}/${folder} lies under the folders that come after it in FLOORS`,
    severity: 'error',
    // index.ts is for users: it gives out what lies higher too.
    from: { path: `^${half}/${folder}/`, pathNot: 'index\\.ts$' },
    to: { ...runTime, path: `^${half}/(?:${folders.slice(i + 1).join('|')})/` },
  }));
}

export default {
  forbidden: [
    ...Object.entries(FLOORS).flatMap(floors),
    {
      name: 'core',
      comment: 'src/core knows no vendor, and of src/ffi only the views of memory, which import nothing',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { ...runTime, path: '^src/', pathNot: '^src/core/|^src/ffi/memory\\.ts$' },
    },
    {
      name: 'array',
      comment: 'src/array knows no vendor, no native library, and by itself nothing of Node',
      severity: 'error',
      from: { path: '^src/array/' },
      to: { ...runTime, path: '^src/(?!array/|core/)|^node:' },
    },
    {
      name: 'array-file',
      comment: 'src/array-file is arrays and the file system',
      severity: 'error',
      from: { path: '^src/array-file/' },
      to: { ...runTime, path: '^src/(?!array-file/|array/|core/)' },
    },
    {
      name: 'jit',
      comment: 'src/jit translates kernels for both halves: it knows neither, and builds on arrays',
      severity: 'error',
      from: { path: '^src/jit/' },
      to: { ...runTime, path: '^src/(?!jit/|array/|core/)' },
    },
    {
      name: 'jit-reads',
      comment: 'What reads a function knows nothing of the languages that are written, nor of arrays that exist',
      severity: 'error',
      from: { path: '^src/jit/(?:read|operation)/' },
      to: { ...runTime, path: '^src/(?:jit/(?:emit|simulate)|array)/' },
    },
    {
      name: 'nccl',
      comment: 'src/nccl is built on CUDA, arrays and jobs',
      severity: 'error',
      from: { path: '^src/nccl/' },
      to: { ...runTime, path: '^src/(?!nccl/|cuda/|array/|job/|core/|ffi/)' },
    },
    {
      name: 'job',
      comment: 'src/job is processes and sockets: it knows no vendor, and no native library',
      severity: 'error',
      from: { path: '^src/job/' },
      to: { ...runTime, path: '^src/(?!job/|core/)' },
    },
    {
      name: 'ffi',
      comment: 'src/ffi knows no vendor',
      severity: 'error',
      from: { path: '^src/ffi/' },
      to: { ...runTime, path: '^src/', pathNot: '^src/(?:ffi|core)/' },
    },
    {
      name: 'tables',
      comment: 'Prototypes, constants and structs are data',
      severity: 'error',
      from: { path: '^src/(\\w+)/sys/', pathNot: 'index\\.ts$' },
      to: { ...runTime, path: '^src/', pathNot: '^src/(?:ffi|core|$1/sys)/' },
    },
    {
      name: 'raw-tables',
      comment:
        'Above the guard, functions of a library are called by the checked forms: call.ts, or calls.ts of its folder',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/cpu/|${UNDER_THE_GUARD}|${LAUNCH_PATH}` },
      to: { ...runTime, path: RAW },
    },
    {
      name: 'prototypes',
      comment: 'Who needs a function calls its checked form, and binds no prototypes of their own',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/cpu/|${UNDER_THE_GUARD}` },
      to: { ...runTime, path: PROTOTYPES },
    },
    {
      name: 'libraries',
      comment: 'A library is one folder, and knows no other one',
      severity: 'error',
      from: { path: '^src/(\\w+)/libraries/([^/]+)/' },
      to: { path: '^src/\\w+/libraries/', pathNot: '^src/$1/libraries/$2/' },
    },
    {
      name: 'halves',
      comment: 'CUDA, OpenCL and NVML know nothing of each other, nor of what is built on them',
      severity: 'error',
      from: { path: '^src/(cuda|opencl|nvml)/' },
      to: { path: '^src/(?:cuda|opencl|nvml|nccl|node-opencl|webcl|cli)/', pathNot: '^src/$1/' },
    },
    {
      name: 'ports',
      comment: 'The ports of OpenCL libraries know nothing of CUDA; webcl is built on node-opencl',
      severity: 'error',
      from: { path: '^src/(?:node-opencl|webcl)/' },
      to: { path: '^src/(?:cuda|nvml|nccl|cli)/' },
    },
    {
      name: 'node-opencl',
      severity: 'error',
      from: { path: '^src/node-opencl/' },
      to: { path: '^src/webcl/' },
    },
    {
      name: 'index',
      comment: 'index.ts is for users, of whom the command line is one; others import the file itself',
      severity: 'error',
      from: { path: '^src/', pathNot: 'index\\.ts$|^src/cli/' },
      to: { path: 'index\\.ts$', pathNot: 'node_modules' },
    },
    {
      name: 'circle',
      comment: 'No module imports itself by way of others, at run time',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: runTime },
    },
    {
      name: 'embedded-siblings',
      comment: "The embedded device's CUDA driver and its OpenCL know nothing of each other",
      severity: 'error',
      from: { path: '^src/cpu/(driver|opencl)/' },
      to: { path: '^src/cpu/(driver|opencl)/', pathNot: '^src/cpu/$1/' },
    },
    {
      name: 'embedded-without-ffi',
      comment:
        "What compiles and runs kernels on the embedded device touches no native library's memory but by ffi/memory.ts",
      severity: 'error',
      from: { path: '^src/cpu/(?:abi|files|runtime|compiler|reports)/' },
      to: { path: '^src/ffi/', pathNot: '^src/ffi/(?:memory|pointer|prototype)\\.ts$' },
    },
    {
      name: 'koffi',
      comment: 'Only src/ffi imports koffi',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/ffi/' },
      to: { path: 'node_modules/koffi' },
    },
    {
      name: 'embedded-tables-only',
      comment: "Of the two halves the embedded device knows their tables' types and constants, and nothing that runs",
      severity: 'error',
      from: { path: '^src/cpu/' },
      to: {
        ...runTime,
        path: '^src/(?:cuda|opencl|nvml|nccl|node-opencl|webcl|cli)/',
        pathNot: '^src/(?:cuda|opencl|nccl)/sys/',
      },
    },
    ...Object.entries(ENTRIES).map(([half, names]) => ({
      name: `ground-${half.slice(4)}`,
      comment: `Files of ${half} itself lie under its folders, but for those that users begin with`,
      severity: 'error',
      from: { path: `^${half}/[^/]+\\.ts$`, pathNot: `^${half}/(?:${names})\\.ts$` },
      to: { ...runTime, path: `^${half}/[^/]+/`, pathNot: `^${half}/(?:sys|older|libraries)/` },
    })),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
