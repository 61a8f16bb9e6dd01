import { jitReport } from './jit-report.ts';

// `jit-report-main.ts at` prints the report of kernels on the device, `simulate` that of the simulator.
console.log(JSON.stringify(jitReport(process.argv[2] === 'at' ? 'at' : 'simulate')));
